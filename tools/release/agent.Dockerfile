# Build the agent for Linux with a glibc that is old enough for the systems it is installed on:
#   docker build --file tools/release/agent.Dockerfile --tag macmeter-agent tools/release
#   docker run --rm --volume "$PWD:/work" macmeter-agent tools/release/archive.py
FROM swift:6.1-jammy
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends \
    git libcurl4-openssl-dev libssl-dev libxml2-dev python3 zlib1g-dev \
 && rm -rf /var/lib/apt/lists/* \
 && git config --system --add safe.directory /work
WORKDIR /work
