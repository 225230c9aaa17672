// An identity provider for tests: the certified oidc-provider. Prints its address when it listens.
// A person who signs in as NAME has the address name@example.org, which counts as verified unless
// the name begins with "new".
import { Provider } from "oidc-provider";

const [, , redirect] = process.argv;
const client = {
  client_id: "macmeter",
  client_secret: "a secret of the client, long enough",
  redirect_uris: [redirect],
  grant_types: ["authorization_code"],
  response_types: ["code"],
};
const { createServer } = await import("node:http");
const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [client],
    claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"] },
    pkce: { required: () => true },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, name: `${id} Example`, email: `${id}@example.org`, email_verified: !id.startsWith("new") }),
    }),
  });
  server.on("request", provider.callback());
  console.log(issuer);
});
process.stdin.on("end", () => process.exit(0)).resume();
