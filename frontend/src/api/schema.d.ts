// Made by `npm run generate` in codegen/ from frontend/openapi.json. Not edited by hand.

export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Healthz
         * @description The process answers.
         */
        get: operations["healthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Readyz
         * @description Both databases answer, their schema is there, there is room to write, and the data set that
         *     answers come from is not further behind than DATASET_LAG_SECONDS allows.
         *
         *     Anybody may ask. How far it is behind would show private uploads, and is in /metrics.
         */
        get: operations["readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics
         * @description What the server has counted and how far it is behind, in the Prometheus text format.
         *
         *     For whoever asks from its own network, and the server's admins: it shows how much is uploaded,
         *     private runs included.
         */
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Events
         * @description Runs that match, as they are stored: `event: run`, its data as in the list of runs.
         *
         *     With `side`, as in a comparison: runs of any of its sides that have one of its metrics.
         *     `event: reload` instead of them says that more were missed than are worth telling. After
         *     a break the same run may come twice. A comment every 15 seconds shows that the line holds.
         */
        get: operations["get_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Run
         * @description One run with its results and flags.
         */
        get: operations["get_run"];
        /**
         * Put Run
         * @description Store a run document. 201 committed and durable, 200 the identical bytes again.
         */
        put: operations["put_run"];
        post?: never;
        /**
         * Delete Run
         * @description Delete a run of one's own; comparisons that rest on it alone become tombstones.
         */
        delete: operations["delete_run"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Post Batch
         * @description Store the documents on the lines of an NDJSON body; a result line each, in order.
         *
         *     Each line is {"line", "status", and either the stored run or the problem}. One bad line
         *     harms no other. Lines are stored as they arrive, and answered at the end: those answered are
         *     durable. Where the body ends early or passes a bound, the last result says so.
         */
        post: operations["post_batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/doubts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Doubts
         * @description What readers hold against a run of one's own, oldest first.
         */
        get: operations["get_doubts"];
        put?: never;
        /**
         * Post Doubt
         * @description Report a doubt about a public run: its owner and the server's admin read and judge it.
         */
        post: operations["post_doubt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/withdrawal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Put Withdrawal
         * @description Withdraw a run of one's own: answers leave it out, its page stays and gives the reason.
         */
        put: operations["put_withdrawal"];
        post?: never;
        /**
         * Delete Withdrawal
         * @description Reinstate it, unless the server's admin has withdrawn it.
         */
        delete: operations["delete_withdrawal"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/doubts/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Doubt Self
         * @description What happened to a doubt, for whoever reported it: `Authorization: Bearer STATUS_SECRET`.
         */
        get: operations["get_doubt_self"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Review
         * @description The runs that wait for a judgement, those longest here first, and how many there are.
         */
        get: operations["get_review"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/review/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Put Judgement
         * @description Judge a run: keep or withdraw it. Whoever reported a problem reads the answer.
         */
        put: operations["put_judgement"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Answer
         * @description Answer a question: groups with figures, ratios, printed figures and what was left out.
         *
         *     `figure` tells the same for readers: titles, cases, lines and printed digits, ready to be drawn.
         */
        get: operations["get_answer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/answer.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Answer Csv
         * @description The same answer as CSV.
         */
        get: operations["get_answer_csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/starting-point": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Starting Point
         * @description The question with everything fixed that its groups would mix, to what most machines have.
         */
        get: operations["get_starting_point"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Facets
         * @description The values of every dimension under the current filters, with their counts.
         */
        get: operations["get_facets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/filters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Filters
         * @description What filters say, in words.
         */
        get: operations["get_filters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/doubted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Doubted
         * @description The newest runs that the answer to these metrics and filters leaves out for a doubt.
         */
        get: operations["get_doubted"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Runs
         * @description Runs, newest first.
         */
        get: operations["get_runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Document
         * @description The run document, byte for byte as it was uploaded.
         */
        get: operations["get_document"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Catalog
         * @description Every metric, dimension and flag that documents and questions can name.
         */
        get: operations["get_catalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/residency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Residency
         * @description Frequency of clusters against the active residency of their cores, over sampled runs.
         */
        get: operations["get_residency"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/chips": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Chips
         * @description Known configurations of Apple's chips, and frequencies stated of whole families.
         */
        get: operations["get_chips"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Sources
         * @description The articles that published figures are taken from, with every figure that they print.
         */
        get: operations["get_sources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Compare
         * @description Figures of each side, ratios to the baseline with verdicts, and what can't be compared.
         */
        get: operations["get_compare"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compare.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Compare Csv
         * @description The same rows as CSV: a line for each row and side.
         */
        get: operations["get_compare_csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/answer.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Answer Feed
         * @description What changed in the answer in each of the last 8 whole weeks, as an Atom feed.
         */
        get: operations["get_answer_feed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compare.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Compare Feed
         * @description What changed between sides in each of the last 8 whole weeks, as an Atom feed.
         */
        get: operations["get_compare_feed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/chart.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Chart Svg
         * @description The answer to a question, or sides beside one another, as a drawing; its type is in it.
         */
        get: operations["get_chart_svg"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/chart.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Chart Png
         * @description The answer to a question, or sides beside one another, as a picture.
         */
        get: operations["get_chart_png"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/comparisons/{slug}/chart.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Comparison Svg
         * @description The frozen answer as a drawing.
         */
        get: operations["get_comparison_svg"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/comparisons/{slug}/chart.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Comparison Png
         * @description The frozen answer as a picture, by default in the shape of link previews.
         */
        get: operations["get_comparison_png"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/comparisons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Comparisons
         * @description The comparisons that you made or adopted, newest first.
         */
        get: operations["get_comparisons"];
        put?: never;
        /**
         * Post Comparison
         * @description Freeze a question, or sides beside one another, with the public answer under a short link.
         *
         *     The owner secret in the response is shown this once. Figures of a private fleet are saved
         *     where its admin says so by `shares_fleet`, and live as long as the fleet and its admin.
         */
        post: operations["post_comparison"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/comparisons/{slug}/owner": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Put Comparison Owner
         * @description Make a comparison yours, by its owner secret: your account then does what the secret does.
         */
        put: operations["put_comparison_owner"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/comparisons/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Comparison
         * @description The frozen answer, its content hash, and whether live data has changed since.
         */
        get: operations["get_comparison"];
        put?: never;
        post?: never;
        /**
         * Delete Comparison
         * @description Revoke for good.
         */
        delete: operations["delete_comparison"];
        options?: never;
        head?: never;
        /**
         * Patch Comparison
         * @description Pause, resume, revoke for good, set an end, change title or note.
         *
         *     With the owner secret, or signed in as whoever made or adopted it.
         */
        patch: operations["patch_comparison"];
        trace?: never;
    };
    "/api/v1/comparisons/{slug}/answer.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Comparison Csv
         * @description The frozen answer as CSV.
         */
        get: operations["get_comparison_csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/comparisons/{slug}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Changes
         * @description Each figure as it was frozen beside today's, and how it has changed.
         */
        get: operations["get_changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/oembed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Oembed
         * @description How to embed a comparison, for sites that ask (oembed.com): JSON alone is spoken.
         */
        get: operations["get_oembed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/comparisons/{slug}/citation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Citation
         * @description The comparison as a reference, with the articles whose figures it shows.
         */
        get: operations["get_citation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/corpus": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Corpus
         * @description What the downloads hold: their columns, their version, their licence, how much there is.
         */
        get: operations["get_corpus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/corpus.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Corpus Csv
         * @description Every public result as CSV, a line each, sent as it is read.
         */
        get: operations["get_corpus_csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/corpus.parquet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Corpus Parquet
         * @description Every public result as Parquet, with version, licence and units in its metadata.
         */
        get: operations["get_corpus_parquet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleets/{fleet}/results.parquet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Fleet Results
         * @description Every result of a fleet as Parquet, with the columns of the corpus.
         *
         *     `fleet` is its id or its name. For its members and its uploader: to everybody else there is no
         *     such fleet.
         */
        get: operations["get_fleet_results"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/machines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Machines
         * @description Machines, those that measured last first, with their runs under the filters counted.
         */
        get: operations["get_machines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/machines/{machine_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Machine
         * @description What a machine is, its macOS versions, and what it has measured.
         */
        get: operations["get_machine"];
        put?: never;
        post?: never;
        /**
         * Delete Machine
         * @description Delete a machine with all its runs. Asked by a fleet's device, it retires and its runs stay:
         *     they are the fleet's.
         */
        delete: operations["delete_machine"];
        options?: never;
        head?: never;
        /**
         * Patch Machine
         * @description Name a machine, retire it, or move it to another fleet that one administers.
         */
        patch: operations["patch_machine"];
        trace?: never;
    };
    "/api/v1/machines/{machine_id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Timeline
         * @description Its results of 1 to 4 metrics over time, with macOS updates and changes of level.
         *
         *     A line joins what was measured in the same way on the same thing and nothing else.
         */
        get: operations["get_timeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/percentile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Percentile
         * @description A run's or a machine's place among the machines that the filters describe.
         *
         *     `place` is null where there are fewer than `minimum` of them besides it.
         */
        get: operations["get_percentile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/things/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Things
         * @description The chips or models that somebody measured, with their addresses.
         */
        get: operations["get_things"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/things/{kind}/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Thing
         * @description A chip, model or Mac: its figures, each on a strip of those of others.
         *
         *     A model is also found by Apple's identifier: mac16-11.
         */
        get: operations["get_thing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/machines/{machine_id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Post Machine Secret
         * @description Make a secret by which a Mac that lost its token enrols again under its id, once and within a
         *     day: as its owner, or as the server's admin. The ones before it end.
         */
        post: operations["post_machine_secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/machines/{machine_id}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Put Merge
         * @description Merge two ids of one Mac, which was erased or enrolled twice: `into` gets all runs, and this
         *     id's token ends. Documents and saved comparisons stay as they are.
         */
        put: operations["put_merge"];
        post?: never;
        /**
         * Delete Merge
         * @description Take a merge back: this id's runs are its own again, and it may enrol.
         */
        delete: operations["delete_merge"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/machines/{machine_id}/export.ndjson": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Machine
         * @description All runs of a machine that is one's own, each a line with its document.
         */
        get: operations["export_machine"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/machines/{machine_id}/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask For Claim
         * @description A link by which a person claims this Mac, asked for with its own token. It works once, and
         *     those before it no longer do.
         */
        post: operations["ask_for_claim"];
        /**
         * Let Machine Go
         * @description Let a Mac of one's own go: its runs stay, and somebody else may claim it.
         */
        delete: operations["let_machine_go"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/machines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Own Machines
         * @description The Macs that one has claimed, those that are used first, by name.
         */
        get: operations["list_own_machines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Alerts
         * @description Those of all fleets that whoever asks is in, or of one of them; the newest first.
         */
        get: operations["get_alerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Alerts Feed
         * @description The same as an Atom feed, for programs with a token of their person's.
         */
        get: operations["get_alerts_feed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/{alert_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Alert
         * @description One alert, with the machines that it concerns.
         */
        get: operations["get_alert"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/{alert_id}/acknowledgement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Put Acknowledgement
         * @description Say that somebody looks after it: it asks for no more attention until there is news in it.
         */
        put: operations["put_acknowledgement"];
        post?: never;
        /**
         * Delete Acknowledgement
         * @description Reopen it.
         */
        delete: operations["delete_acknowledgement"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/{alert_id}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Post Comment
         * @description Write a comment below it.
         */
        post: operations["post_comment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleets/{fleet}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Webhooks
         * @description Where its alerts are sent, and whether the last one arrived.
         */
        get: operations["get_webhooks"];
        put?: never;
        /**
         * Post Webhook
         * @description Have its alerts sent there, signed with a secret that is shown once.
         *
         *     The body is JSON with a `text` as Slack takes it. `Macmeter-Signature: t=SECONDS,v1=HEX` is the
         *     HMAC-SHA256 of `SECONDS.BODY` with the secret. What doesn't arrive is tried again for a day.
         */
        post: operations["post_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleets/{fleet}/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete Webhook
         * @description Send nothing there any more.
         */
        delete: operations["delete_webhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleets/{fleet}/webhooks/{webhook_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Post Webhook Test
         * @description Send a test now; `problem` says why it did not arrive.
         */
        post: operations["post_webhook_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleets/{fleet}/alert-mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Alert Mail
         * @description How whoever asks hears of its alerts by mail, and at which address.
         */
        get: operations["get_alert_mail"];
        /**
         * Put Alert Mail
         * @description Have them mailed at once, once a day, or not at all.
         */
        put: operations["put_alert_mail"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens/self/rotation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate Token Self
         * @description A fresh token for a Mac that shows its present one, which ends when the fresh one is first
         *     used. Ask again if the answer is lost: the newest one counts.
         */
        post: operations["rotate_token_self"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Token Self
         * @description The scope of this token, and who will see what it writes.
         */
        get: operations["get_token_self"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Tokens
         * @description One's tokens that still hold, newest first.
         */
        get: operations["list_tokens"];
        put?: never;
        /**
         * Make Token
         * @description Make a token for a program: it reads, or changes, what one may oneself.
         */
        post: operations["make_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke Token
         * @description Revoke one of one's tokens: it is good for nothing from now on.
         */
        delete: operations["revoke_token"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/enroll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Post Enroll
         * @description A token of this machine's own, for a fleet's secret or for public runs. What it had before is
         *     revoked.
         *
         *     A machine that has a token shows it, which proves that it is the same one. One that lost it
         *     shows the proof that it sent before, or a secret that its owner made for it:
         *     `POST /machines/{machine_id}/secret`.
         */
        post: operations["post_enroll"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleets/{fleet}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Secrets
         * @description A fleet's enrolment secrets, newest first, by name.
         */
        get: operations["get_secrets"];
        put?: never;
        /**
         * Post Secret
         * @description Create an enrolment secret: shown here, and never again.
         */
        post: operations["post_secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleets/{fleet}/secrets/{secret_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete Secret
         * @description Revoke an enrolment secret. Machines that have enrolled with it stay enrolled.
         */
        delete: operations["delete_secret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleets/{fleet}/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Devices
         * @description The tokens of a fleet's machines and uploaders, newest first, and when each was last used.
         */
        get: operations["get_devices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleets/{fleet}/uploaders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Post Uploader
         * @description Make a token that writes runs of all machines of the fleet: shown here, and never again.
         */
        post: operations["post_uploader"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleets/{fleet}/devices/{token_id}/rotation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Post Rotation
         * @description Revoke a device's token. A Mac that has the secret enrols again with its next upload.
         */
        post: operations["post_rotation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleets/{fleet}/devices/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete Device
         * @description Revoke a device's token, and don't let its machine enrol again.
         */
        delete: operations["delete_device"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleets/{fleet}/clones": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Clones
         * @description Machine ids that enrolled without their token: re-imaged Macs, or copies of one image.
         */
        get: operations["get_clones"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleets/{fleet}/merges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Merges
         * @description Machine ids that were merged, and pairs that may be one Mac: `former` fell silent, and
         *     `present` is the only one of its model that came within 30 days.
         */
        get: operations["get_merges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleets/{fleet}/clones/{machine_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Put Clone
         * @description Say what a shared id is: one Mac may enrol again; each of several gets its own id.
         */
        put: operations["put_clone"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Session
         * @description Who is signed in in this browser, in which fleets, and how one can sign in here.
         */
        get: operations["get_session"];
        put?: never;
        post?: never;
        /**
         * Sign Out
         * @description Sign out in this browser.
         */
        delete: operations["sign_out"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign In By Password
         * @description Sign in where browsers allow no passkeys, or the operator allows passwords.
         */
        post: operations["sign_in_by_password"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask For Passkey
         * @description What to hand to `navigator.credentials.get()`.
         */
        post: operations["ask_for_passkey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign In By Passkey
         * @description Sign in with what `navigator.credentials.get()` gave.
         */
        post: operations["sign_in_by_passkey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Sessions
         * @description The browsers in which one is signed in, last used first.
         */
        get: operations["list_sessions"];
        put?: never;
        post?: never;
        /**
         * Sign Out Elsewhere
         * @description Sign out everywhere but in this browser.
         */
        delete: operations["sign_out_elsewhere"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End Session
         * @description Sign out in one browser.
         */
        delete: operations["end_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/oidc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin Oidc
         * @description Where to send the browser. Whoever is signed in connects their account instead.
         */
        post: operations["begin_oidc"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/oidc/return": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Return From Oidc
         * @description Where the organisation's page sends the browser back to.
         */
        get: operations["return_from_oidc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete Account
         * @description Delete one's account, at once and for good, with its passkeys, sessions and tokens.
         *
         *     What it did stays in the log, by its name unless that is erased. The last admin of a fleet, and
         *     of the server, is refused.
         */
        delete: operations["delete_account"];
        options?: never;
        head?: never;
        /**
         * Change Account
         * @description Change one's name or address.
         */
        patch: operations["change_account"];
        trace?: never;
    };
    "/api/v1/account/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Account
         * @description All that this server has of one's account, without secrets.
         */
        get: operations["export_account"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set Password
         * @description Set a password, or change it by showing the one so far.
         *
         *     A change ends one's other sessions and revokes one's tokens: whoever knew it may have made them.
         */
        put: operations["set_password"];
        post?: never;
        /**
         * Remove Password
         * @description Remove one's password, where there is another way to sign in. It ends as much as a change.
         */
        delete: operations["remove_password"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Passkeys
         * @description One's passkeys, oldest first.
         */
        get: operations["list_passkeys"];
        put?: never;
        /**
         * Add Passkey
         * @description Keep what `navigator.credentials.create()` gave.
         */
        post: operations["add_passkey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask For New Passkey
         * @description What to hand to `navigator.credentials.create()`.
         */
        post: operations["ask_for_new_passkey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/passkeys/{passkey_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove Passkey
         * @description Remove a passkey, where there is another way to sign in.
         */
        delete: operations["remove_passkey"];
        options?: never;
        head?: never;
        /**
         * Rename Passkey
         * @description Call a passkey something else.
         */
        patch: operations["rename_passkey"];
        trace?: never;
    };
    "/api/v1/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Invitations
         * @description The links that are still good, newest first: of one fleet, or of all that one administers.
         */
        get: operations["list_invitations"];
        put?: never;
        /**
         * Invite
         * @description Invite somebody to a fleet. The link is shown once, and mailed if this server can.
         */
        post: operations["invite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/{link_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke Invitation
         * @description Revoke a link that nobody has used.
         */
        delete: operations["revoke_invitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open Link
         * @description What a link invites to. It stays good.
         */
        post: operations["open_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask For First Passkey
         * @description What to hand to `navigator.credentials.create()`, for a new account.
         */
        post: operations["ask_for_first_passkey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept
         * @description Join, as whoever is signed in or with a new account, and be signed in.
         */
        post: operations["accept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Fleets
         * @description One's own fleets, by name.
         */
        get: operations["get_fleets"];
        put?: never;
        /**
         * Post Fleet
         * @description Create a private fleet and be its admin.
         */
        post: operations["post_fleet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleets/{fleet}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Fleet
         * @description A fleet, and what one is in it.
         */
        get: operations["get_fleet"];
        put?: never;
        post?: never;
        /**
         * Delete Fleet
         * @description Delete a fleet: its runs are deleted, published, or move to another fleet of one's own.
         */
        delete: operations["delete_fleet"];
        options?: never;
        head?: never;
        /**
         * Patch Fleet
         * @description Rename a fleet, choose who reads it, or vouch for it.
         */
        patch: operations["patch_fleet"];
        trace?: never;
    };
    "/api/v1/fleets/{fleet}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Members
         * @description Who is in a fleet.
         */
        get: operations["get_members"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleets/{fleet}/members/{person_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Put Role
         * @description Make somebody in a fleet its admin or a viewer.
         */
        put: operations["put_role"];
        post?: never;
        /**
         * Delete Member
         * @description Remove somebody from a fleet, or leave it.
         */
        delete: operations["delete_member"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleets/{fleet}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Fleet Links
         * @description The newest 200 links whose figures rest on runs of the fleet, and what they show now.
         */
        get: operations["get_fleet_links"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleets/{fleet}/links/{link_id}/ids": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete Link Ids
         * @description Take the ids of the fleet's runs out of a link, for good. Figures of several Macs stay.
         */
        delete: operations["delete_link_ids"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleets/{fleet}/dashboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Fleet Dashboard
         * @description A fleet's health, how updates of macOS changed its machines, and outliers.
         *
         *     `fleet` is its id or its name. For its members and its uploader: to everybody else there is no
         *     such fleet.
         */
        get: operations["get_fleet_dashboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleets/{fleet}/machines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Fleet Machines
         * @description A fleet's machines as their newest runs show them, with the problems of each.
         */
        get: operations["get_fleet_machines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleets/{fleet}/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Put Fleet Policy
         * @description Set what counts as a problem: a machine's silence, its agent's version, and FileVault.
         */
        put: operations["put_fleet_policy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleets/{fleet}/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Retention
         * @description A fleet's policy, if it has one, and what was put aside by it lately.
         */
        get: operations["get_retention"];
        /**
         * Put Retention
         * @description Set a policy and act on it, now and then once a day.
         *
         *     No answer counts the runs from now on; they are deleted after 7 days. `runs` confirms what the
         *     preview said: 409 where it is another number by now.
         */
        put: operations["put_retention"];
        post?: never;
        /**
         * Delete Retention
         * @description Keep all runs from now on. What was put aside is still deleted, unless that is undone.
         */
        delete: operations["delete_retention"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleets/{fleet}/retention/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Retention Preview
         * @description What a policy would do now. Nothing is changed.
         */
        get: operations["get_retention_preview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleets/{fleet}/retention/sweeps/{sweep_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete Sweep
         * @description Undo: runs that were put aside count again, and the policy ends.
         */
        delete: operations["delete_sweep"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get People
         * @description Everybody with an account, their fleets, and when they were last here.
         */
        get: operations["get_people"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/people/{person_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete Person
         * @description Delete somebody's account. The last admin of a fleet, and of the server, is refused.
         */
        delete: operations["delete_person"];
        options?: never;
        head?: never;
        /**
         * Patch Person
         * @description Make somebody the server's admin, or no longer. One always remains.
         */
        patch: operations["patch_person"];
        trace?: never;
    };
    "/api/v1/failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Failures
         * @description Runs that can't be read, fleets whose alerts fail, mails and webhooks that don't arrive: the
         *     newest 200 of what fails here, the next 200 to be sent again, and how many there are.
         */
        get: operations["get_failures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Audit
         * @description What was done in a fleet that one administers, newest first.
         */
        get: operations["get_audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Audit Csv
         * @description The newest 100,000 acts as CSV.
         */
        get: operations["get_audit_csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit.ndjson": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Audit Ndjson
         * @description The newest 100,000 acts, an object a line.
         */
        get: operations["get_audit_ndjson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** Accepted */
        Accepted: {
            /** Secret */
            secret: string;
            account?: components["schemas"]["AccountNew"] | null;
        };
        /**
         * AccountChanges
         * @description What is left out stays.
         */
        AccountChanges: {
            /** Name */
            name?: string | null;
            /** Email */
            email?: string | null;
        };
        /**
         * AccountNew
         * @description With a passkey, or with a password and the address to sign in by.
         */
        AccountNew: {
            /** Name */
            name: string;
            /** Email */
            email?: string | null;
            /** Password */
            password?: string | null;
            /** Credential */
            credential?: {
                [key: string]: unknown;
            } | null;
        };
        /** Act */
        Act: {
            /** Id */
            id: number;
            /** At */
            at: string;
            /** Action */
            action: string;
            /** By */
            by: string;
            /** Fleet */
            fleet: string | null;
            /** Details */
            details: {
                [key: string]: unknown;
            };
        };
        /** Acts */
        Acts: {
            /** Items */
            items: components["schemas"]["Act"][];
            /** Next */
            next: number | null;
        };
        /** Adoption */
        Adoption: {
            /** Owner Secret */
            owner_secret: string;
        };
        /**
         * Alert
         * @description `passed`: what a regression had slowed is as fast as before; others that end are `over`.
         */
        Alert: {
            /** Id */
            id: string;
            fleet: components["schemas"]["NamedFleet"];
            /**
             * Kind
             * @enum {string}
             */
            kind: "regression" | "silent" | "quota" | "doubts";
            /** Cause */
            cause: string;
            /**
             * State
             * @enum {string}
             */
            state: "open" | "acknowledged" | "over" | "passed";
            /** Opened At */
            opened_at: string;
            /** Closed At */
            closed_at: string | null;
            /** Acknowledged At */
            acknowledged_at: string | null;
            /** Acknowledged By */
            acknowledged_by: string | null;
            /** Title */
            title: string;
            /** Lines */
            lines: string[];
            detail: components["schemas"]["AlertDetail"];
            /** Comments */
            comments: components["schemas"]["Comment-Output"][];
        };
        /** AlertCounts */
        AlertCounts: {
            /** Open */
            open: number;
            /** Acknowledged */
            acknowledged: number;
        };
        /**
         * AlertDetail
         * @description A `FoundDetail`, in words as well.
         */
        AlertDetail: {
            /** Machine Ids */
            machine_ids?: string[];
            /** Machines */
            machines?: number;
            /** Agent Version */
            agent_version?: string;
            /** Name */
            name?: string;
            /** Used */
            used?: number;
            /** Quota */
            quota?: number;
            /** Doubts */
            doubts?: number;
            /** Effects */
            effects?: components["schemas"]["Effect"][];
        };
        /** AlertMail */
        AlertMail: {
            /**
             * How
             * @enum {string}
             */
            how: "at_once" | "digest" | "off";
            /** Email */
            email: string | null;
        };
        /** Alerts */
        Alerts: {
            /** Items */
            items: components["schemas"]["Alert"][];
            /** Total */
            total: number;
        };
        /**
         * Answer
         * @description `runs`: the distinct runs behind its figures; absent in answers saved before it was added.
         *
         *     `updates` are of answers by month.
         */
        Answer: {
            question: components["schemas"]["QuestionTold"];
            /** As Of */
            as_of: string;
            /** Derivation Version */
            derivation_version: number;
            /** Runs */
            runs?: number;
            /** Results */
            results: components["schemas"]["MetricAnswer"][];
            /** Updates */
            updates?: components["schemas"]["NewerMacos"][];
        };
        /**
         * AnsweredFigure
         * @description `key` has the dimensions of its run.
         */
        AnsweredFigure: {
            /**
             * Kind
             * @enum {string}
             */
            kind: "ratio" | "range";
            /** Value */
            value?: number;
            /** Low */
            low?: number;
            /** High */
            high?: number;
            /** Of */
            of?: {
                [key: string]: string | number | boolean | null;
            };
            /** To */
            to?: {
                [key: string]: string | number | boolean | null;
            };
            /** Qualifier */
            qualifier?: string;
            /** Printed */
            printed: string;
            /** Parameters */
            parameters: {
                [key: string]: string | number | boolean | null;
            };
            /** Key */
            key: {
                [key: string]: string | number | boolean | null;
            };
            /** Flags */
            flags: string[];
            citation: components["schemas"]["Citation"];
            /** Run Id */
            run_id: string;
        };
        /**
         * AreaMean
         * @description The geometric mean over the metrics of one suite.
         */
        AreaMean: {
            /** Suite */
            suite: string;
            /** Metrics */
            metrics: number;
            /** Sides */
            sides: components["schemas"]["SideMean"][];
        };
        /** Article */
        Article: {
            /** Article */
            article: string;
            /** Title */
            title: string;
            /** Author */
            author: string;
            /** Publisher */
            publisher: string;
            /** Published */
            published: string | null;
            /** Text */
            text: string;
        };
        /**
         * AskedSecret
         * @description Without a quota any number of machines enrols, and without an end at any time.
         */
        AskedSecret: {
            /** Name */
            name: string;
            /** Quota */
            quota?: number | null;
            /** Expires At */
            expires_at?: string | null;
        };
        /** AskedUploader */
        AskedUploader: {
            /** Name */
            name: string;
        };
        /**
         * Axis
         * @description From `low` to `high`; `base` is where bars start.
         *
         *     `ticks` are in the order in which they matter: whoever lacks room leaves out the last ones.
         */
        Axis: {
            /** Title */
            title: string;
            /** Low */
            low: number;
            /** High */
            high: number;
            /** Ticks */
            ticks: components["schemas"]["Tick"][];
            /**
             * Log
             * @default false
             */
            log?: boolean;
            /**
             * Base
             * @default 0
             */
            base?: number;
        };
        /**
         * Better
         * @enum {string}
         */
        Better: "higher" | "lower" | "none";
        /**
         * Bin
         * @description The points nearest to one number of whole cores; frequencies in digits of gigahertz.
         *
         *     Its mark is `at` the medians of both, in the units of the axes.
         */
        Bin: {
            /** Nearest */
            nearest: number;
            /** At */
            at: number[];
            /** Cores */
            cores: string;
            /** Median */
            median: string;
            /** P10 */
            p10: string;
            /** P90 */
            p90: string;
            /** Points */
            points: number;
        };
        /**
         * Boundary
         * @description The number of threads that fills a tier of cores, or all of them: "10 P cores".
         *
         *     `low` and `high` differ where a chip is sold in configurations of its own.
         */
        Boundary: {
            /** Low */
            low: number;
            /** High */
            high: number;
            /** Text */
            text: string;
        };
        /** Browser */
        Browser: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Browser */
            browser: string;
            /** Created At */
            created_at: string;
            /** Last Used At */
            last_used_at: string;
            /** Here */
            here: boolean;
        };
        /** Browsers */
        Browsers: {
            /** Items */
            items: components["schemas"]["Browser"][];
        };
        /**
         * Case
         * @description `heading` is empty where it is the case before's.
         */
        Case: {
            /** Label */
            label: string;
            /** Lanes */
            lanes: components["schemas"]["Lane"][];
            /**
             * Heading
             * @default
             */
            heading?: string;
            /**
             * Colour
             * @default ink-2
             */
            colour?: string;
            /**
             * Swatch
             * @default false
             */
            swatch?: boolean;
            /** Key */
            key?: {
                [key: string]: string | number | boolean | null;
            } | null;
            /**
             * Undrawn
             * @default false
             */
            undrawn?: boolean;
        };
        /** Catalog */
        Catalog: {
            /** Metrics */
            metrics: components["schemas"]["CatalogMetric"][];
            /** Dimensions */
            dimensions: components["schemas"]["CatalogDimension"][];
            /** Flags */
            flags: components["schemas"]["Flag"][];
            /** Open Filters */
            open_filters: {
                [key: string]: string[];
            };
            /** Most Grouped */
            most_grouped: number;
        };
        /**
         * CatalogDimension
         * @description `inside` is its title within a sentence; `words` are those of its values.
         *
         *     `words_inside` are those that differ within a sentence.
         */
        CatalogDimension: {
            /** Name */
            name: string;
            /** Title */
            title: string;
            /** Inside */
            inside: string;
            kind: components["schemas"]["Kind"];
            /**
             * Of
             * @enum {string}
             */
            of: "run" | "sample";
            /** Unit */
            unit: string | null;
            /** About */
            about: string | null;
            /** Values */
            values: {
                [key: string]: string;
            };
            /** Words */
            words: {
                [key: string]: string;
            };
            /** Words Inside */
            words_inside: {
                [key: string]: string;
            };
            /** Plural */
            plural: string;
            /** Traits */
            traits: components["schemas"]["Trait"][];
            /** Absent */
            absent: string | null;
            /** Expected Of */
            expected_of: string[];
            each: components["schemas"]["Each"] | null;
        };
        /**
         * CatalogMetric
         * @description `inside` is its title within a sentence.
         */
        CatalogMetric: {
            /** Name */
            name: string;
            /** Title */
            title: string;
            /** Inside */
            inside: string;
            /** Unit */
            unit: string;
            better: components["schemas"]["Better"];
            /** Suite */
            suite: string;
            /** About */
            about: string;
            /** Required */
            required: string[];
            /** Optional */
            optional: string[];
            /** Roles */
            roles: components["schemas"]["Role"][];
            /** Determinants */
            determinants: string[];
        };
        /**
         * ChangePart
         * @description The figures of one metric, of sides also of one method.
         */
        ChangePart: {
            /** Title */
            title: string;
            /**
             * Mark
             * @enum {string}
             */
            mark: "square" | "circle" | "triangle" | "diamond";
            /** Rows */
            rows: components["schemas"]["ChangeRow"][];
        };
        /**
         * ChangeRow
         * @description `ratio` is the live figure over the frozen one; without one of them it is null.
         */
        ChangeRow: {
            /** Id */
            id: string;
            /** Label */
            label: string;
            /** Hollow */
            hollow: boolean;
            frozen: components["schemas"]["FigureThen"] | null;
            live: components["schemas"]["FigureThen"] | null;
            /** Ratio */
            ratio: number | null;
            /** Text */
            text: string;
        };
        /**
         * ChangeTold
         * @description `text` says both in words.
         */
        ChangeTold: {
            /** Groups */
            groups: number;
            /** Published */
            published: number;
            /** Largest */
            largest: number | null;
            /** Text */
            text: string;
        };
        /**
         * ChangeWords
         * @description `mark` is short enough for the plot: "+4 %".
         */
        ChangeWords: {
            /** Mark */
            mark: string;
            /** Text */
            text: string;
        };
        /**
         * Changes
         * @description In the frozen answer's order, what is new at the end of its part; `axis` is of the ratios.
         */
        Changes: {
            axis: components["schemas"]["Axis"];
            /** Parts */
            parts: components["schemas"]["ChangePart"][];
        };
        /**
         * Chart
         * @description The figures of one unit: seconds and watts share no axis, and so no chart.
         *
         *     Drawn as `panels` of lines along `across` where it has them, as `targets` where it has those,
         *     else as its cases. The table is of its cases, whatever is drawn.
         */
        Chart: {
            /**
             * Kind
             * @enum {string}
             */
            kind: "cases" | "lines" | "targets";
            /** Title */
            title: string;
            /** Unit */
            unit: string;
            /**
             * Measure
             * @enum {string}
             */
            measure: "figure" | "ratio";
            up: components["schemas"]["Axis"];
            /**
             * Text
             * @default
             */
            text?: string;
            /**
             * Cases
             * @default []
             */
            cases?: components["schemas"]["Case"][];
            /**
             * Columns
             * @default []
             */
            columns?: components["schemas"]["Column"][];
            across?: components["schemas"]["Axis"] | null;
            /**
             * Panels
             * @default []
             */
            panels?: components["schemas"]["Panel"][];
            /**
             * Targets
             * @default []
             */
            targets?: components["schemas"]["Target"][];
            /**
             * Level
             * @default
             */
            level?: string;
            /**
             * Key
             * @default []
             */
            key?: components["schemas"]["KeyEntry"][];
            /**
             * Fits
             * @default []
             */
            fits?: string[];
            grid?: components["schemas"]["Grid"] | null;
            /**
             * Rows
             * @default false
             */
            rows?: boolean;
        };
        /**
         * ChiefFigure
         * @description What a list shows of a run; `low` and `high` differ where it has several results.
         *
         *     They are null where an article prints only a ratio or a range.
         */
        ChiefFigure: {
            /** Metric */
            metric: string;
            /** Unit */
            unit: string;
            /** Low */
            low: number | null;
            /** High */
            high: number | null;
            /** Results */
            results: number;
            /** Printed */
            printed: string | null;
            /** Ratio */
            ratio: boolean;
        };
        /**
         * ChiefWords
         * @description A figure that stands for the run: "7.66–7.81 GB/s", of "write speed, whole run".
         */
        ChiefWords: {
            /** Text */
            text: string;
            /** Of */
            of: string;
        };
        /**
         * Chip
         * @description One configuration of a chip; `binned` ones have cores disabled by Apple.
         *
         *     `tiers` are ordered, fastest first. `cycles` are the highest frequencies of all cores added up,
         *     in hertz. What no source states is null.
         */
        Chip: {
            /** Chip */
            chip: string;
            /** Family */
            family: string;
            /** Variant */
            variant: string;
            /** Tiers */
            tiers: components["schemas"]["ChipTier"][];
            /** Cores */
            cores: number;
            /** Cycles */
            cycles: number | null;
            /** Binned */
            binned: boolean | null;
            /** Gpu Cores */
            gpu_cores: number | null;
            /** Memory Max Bytes */
            memory_max_bytes: number | null;
            /** Thunderbolt */
            thunderbolt: string[] | null;
            /** Note */
            note: string | null;
            /** Sources */
            sources: string[];
        };
        /**
         * ChipFact
         * @description A frequency that an article states of a chip family without saying which variant.
         *
         *     In hertz; `low` equals `high` for a single one. Never part of an answer.
         */
        ChipFact: {
            /** Row */
            row: string;
            /** Article */
            article: string;
            /** Family */
            family: string;
            /** What */
            what: string;
            /** Low */
            low: number;
            /** High */
            high: number;
            /** Printed */
            printed: string;
            /** Tier */
            tier: string | null;
            /** Active Cores */
            active_cores: string | null;
            /** Qualifier */
            qualifier: string | null;
            /** Caution */
            caution: string | null;
        };
        /**
         * ChipPanel
         * @description Frequencies are divided by `divisor` to stand in `unit`; `key` is of what tiers share.
         */
        ChipPanel: {
            /** Chip */
            chip: string;
            /** Unit */
            unit: string;
            /** Divisor */
            divisor: number;
            across: components["schemas"]["Axis"];
            up: components["schemas"]["Axis"];
            /** Tiers */
            tiers: components["schemas"]["TierWords"][];
            /** Key */
            key: components["schemas"]["KeyEntry"][];
        };
        /**
         * ChipTier
         * @description One kind of core: how many, in clusters of how many, frequencies in hertz.
         */
        ChipTier: {
            /** Name */
            name: string;
            /** Cores */
            cores: number;
            /** Clusters */
            clusters: number[] | null;
            /** Min Frequency */
            min_frequency: number | null;
            /** Max Frequency */
            max_frequency: number | null;
        };
        /** Chips */
        Chips: {
            /** Chips */
            chips: components["schemas"]["Chip"][];
            /** Facts */
            facts: components["schemas"]["ChipFact"][];
            /** Sources */
            sources: components["schemas"]["Article"][];
        };
        /** Citation */
        Citation: {
            /** Article */
            article: string;
            /** Title */
            title: string;
            /** Author */
            author: string;
            /** Publisher */
            publisher: string;
            /** Published */
            published?: string | null;
            /** Row */
            row: string;
        };
        /**
         * CitedArticle
         * @description An article behind published figures, under the dagger that leads to it.
         */
        CitedArticle: {
            /** Dagger */
            dagger: string;
            /** Article */
            article: string;
            /** Text */
            text: string;
            /** Title */
            title: string;
            /**
             * Rows
             * @default []
             */
            rows?: string[];
        };
        /** ClaimLink */
        ClaimLink: {
            /** Link */
            link: string;
            /** Expires At */
            expires_at: string;
        };
        /** Clone */
        Clone: {
            /** Machine Id */
            machine_id: string;
            /** Name */
            name: string | null;
            /** Enrolments */
            enrolments: number;
            /** First At */
            first_at: string;
            /** Last At */
            last_at: string;
            /** New Ids */
            new_ids: boolean;
        };
        /** Clones */
        Clones: {
            /** Items */
            items: components["schemas"]["Clone"][];
        };
        /** CohortFigures */
        CohortFigures: {
            /** Min */
            min: number;
            /** P10 */
            p10: number;
            /** P25 */
            p25: number;
            /** Median */
            median: number;
            /** P75 */
            p75: number;
            /** P90 */
            p90: number;
            /** Max */
            max: number;
        };
        /**
         * Column
         * @description A column of the table: lanes have its `cells` under this id.
         */
        Column: {
            /** Id */
            id: string;
            /** Title */
            title: string;
            /**
             * Unit
             * @default
             */
            unit?: string;
            /**
             * Numeric
             * @default false
             */
            numeric?: boolean;
        };
        /**
         * Comment
         * @description A word on an alert.
         */
        "Comment-Input": {
            /** Text */
            text: string;
        };
        /** Comment */
        "Comment-Output": {
            /** At */
            at: string;
            /** By */
            by: string;
            /** Text */
            text: string;
        };
        /** Compared */
        Compared: {
            comparison: components["schemas"]["SidesTold"];
            /** As Of */
            as_of: string;
            /** Derivation Version */
            derivation_version: number;
            /** Runs */
            runs?: number;
            /** Rows */
            rows: components["schemas"]["Row"][];
            geometric_mean: components["schemas"]["GeometricMean"];
            /** Notes */
            notes: components["schemas"]["Note"][];
        };
        /** ComparedMetric */
        ComparedMetric: {
            /** Metric */
            metric: string;
            /** Parameters */
            parameters: {
                [key: string]: string | number | boolean | null;
            };
        };
        /**
         * ComparisonChange
         * @description What is left out stays as it is; null takes it away.
         */
        ComparisonChange: {
            /** Title */
            title?: string | null;
            /** Note */
            note?: string | null;
            /** State */
            state?: ("active" | "paused" | "revoked") | null;
            /** Expires At */
            expires_at?: string | null;
        };
        /**
         * ComputedDifferently
         * @description From this derivation on, what its figures mean: `text` says it in a sentence.
         */
        ComputedDifferently: {
            /** Derivation Version */
            derivation_version: number;
            /** Text */
            text: string;
        };
        /** ConfirmedPolicy */
        ConfirmedPolicy: {
            /**
             * Days
             * @description how old a run may get
             */
            days: number;
            /**
             * Keep
             * @description medians: answers stay as they are, samples and traces go
             * @default nothing
             * @enum {string}
             */
            keep?: "nothing" | "medians";
            /**
             * Keep Linked
             * @description keep runs that a link's figures use
             * @default true
             */
            keep_linked?: boolean;
            /**
             * Runs
             * @description how many go at once, as the preview said
             */
            runs: number;
        };
        /**
         * Corpus
         * @description What the downloads hold: `version` names this list of columns.
         */
        Corpus: {
            /** Version */
            version: string;
            /** Runs */
            runs: number;
            /** Results */
            results: number;
            licence: components["schemas"]["Licence"];
            /** Columns */
            columns: components["schemas"]["CorpusColumn"][];
        };
        /** CorpusColumn */
        CorpusColumn: {
            /** Name */
            name: string;
            /**
             * Type
             * @enum {string}
             */
            type: "text" | "number" | "boolean" | "time";
            /** Unit */
            unit: string | null;
            /** About */
            about: string | null;
        };
        /** CountedFlag */
        CountedFlag: {
            /** Code */
            code: string;
            severity: components["schemas"]["Severity"];
            /** Runs */
            runs: number;
        };
        /** Covered */
        Covered: {
            /** Metric */
            metric: string;
            /** Parameters */
            parameters: {
                [key: string]: string | number | boolean | null;
            };
            /** Method */
            method: string | null;
        };
        /**
         * Crude
         * @description The ratio of two medians as they are, whatever else differs.
         */
        Crude: {
            /** Ci Low */
            ci_low?: number;
            /** Ci High */
            ci_high?: number;
            /** Interval */
            interval?: string;
            /** Value */
            value: number;
            verdict: components["schemas"]["Verdict"];
        };
        /**
         * Curve
         * @description `coefficients` in the order of the equation, both axes in base units.
         *
         *     `r2` is 1 less the ratio of the squares about the curve to those about the mean, on logarithms
         *     for `power`; a `theil_sen` makes no square least, and its `r2` may be below 0.
         */
        Curve: {
            /**
             * Model
             * @enum {string}
             */
            model: "linear" | "power" | "quadratic" | "theil_sen";
            /** Coefficients */
            coefficients: number[];
            /** Equation */
            equation: string;
            /** R2 */
            r2: number;
            /** Low */
            low: number;
            /** High */
            high: number;
            /** Points */
            points: number;
        };
        /** Dashboard */
        Dashboard: {
            fleet: components["schemas"]["SeenFleet"];
            /** As Of */
            as_of: string | null;
            /** Machines */
            machines: number;
            /** Runs */
            runs: number;
            /** Last Received At */
            last_received_at: string | null;
            health: components["schemas"]["Health"];
            /** Os Versions */
            os_versions: components["schemas"]["Share"][];
            /** Chips */
            chips: components["schemas"]["Share"][];
            alerts: components["schemas"]["AlertCounts"];
            /** Changes */
            changes: components["schemas"]["UpdateChange"][];
            /** Outliers */
            outliers: components["schemas"]["Outlier"][];
        };
        /** Deleted */
        Deleted: {
            /** Runs */
            runs: number;
        };
        /** Device */
        Device: {
            /** Id */
            id: string;
            /**
             * Scope
             * @enum {string}
             */
            scope: "device" | "fleet";
            /** Machine Id */
            machine_id: string | null;
            /** Name */
            name: string | null;
            /** Chip */
            chip: string | null;
            /** Secret */
            secret: string | null;
            /** Created At */
            created_at: string;
            /** Renewed */
            renewed: boolean;
            /** Last Used At */
            last_used_at: string | null;
            /** Expires At */
            expires_at: string | null;
            /** Revoked */
            revoked: boolean;
        };
        /** Devices */
        Devices: {
            /** Items */
            items: components["schemas"]["Device"][];
            /** Total */
            total: number;
        };
        /**
         * DispositionTold
         * @description How a printed figure can be used; answers count only stored ones.
         */
        DispositionTold: {
            /** Name */
            name: string;
            /** Stored */
            stored: boolean;
            /** Rows */
            rows: number;
            /** Meaning */
            meaning: string;
        };
        /**
         * Dot
         * @description Another thing on a strip; `at` from 0 at its low end to 1 at its high end.
         */
        Dot: {
            /** At */
            at: number;
            /** Text */
            text: string;
            /**
             * Name
             * @default
             */
            name?: string;
            /**
             * Slug
             * @default
             */
            slug?: string;
        };
        /** Doubt */
        Doubt: {
            /** Reason */
            reason: string;
            /** Created At */
            created_at: string;
        };
        /**
         * DoubtState
         * @description What happened to a doubt, for whoever reported it.
         */
        DoubtState: {
            /** Run */
            run: string;
            /** Reason */
            reason: string;
            /** Created At */
            created_at: string;
            /**
             * State
             * @enum {string}
             */
            state: "open" | "upheld" | "dismissed";
            /** Answer */
            answer: string | null;
            /** Decided At */
            decided_at: string | null;
        };
        /**
         * DoubtTaken
         * @description How many doubts about a run wait to be judged, and the secret that shows what happens to this
         *     one: shown once, for `GET /doubts/self`.
         */
        DoubtTaken: {
            /** Doubts */
            doubts: number;
            /** Status Secret */
            status_secret: string;
            /** Status Url */
            status_url: string;
        };
        /** DoubtsTold */
        DoubtsTold: {
            /** Items */
            items: components["schemas"]["Doubt"][];
        };
        /**
         * Each
         * @description One and many of what a dimension counts: "drive at once", "drives at once".
         */
        Each: {
            /** One */
            one: string;
            /** Many */
            many: string;
        };
        /**
         * Effect
         * @description A `FoundEffect`, in words as well.
         */
        Effect: {
            /** Metric */
            metric: string;
            /** Title */
            title: string;
            better: components["schemas"]["Better"];
            /** Cohort */
            cohort: {
                [key: string]: string | number | boolean | null;
            };
            /** Where */
            where: string[];
            /** Ratio */
            ratio: number;
            /** Machines */
            machines: number;
            /** Low */
            low: number | null;
            /** High */
            high: number | null;
            /** Matters */
            matters: boolean;
            /** Of */
            of: number;
            /** Moved */
            moved: number;
            /** Version */
            version: string | null;
            /** At */
            at: string;
            /** Common */
            common?: boolean;
            /** Agent Version */
            agent_version?: string | null;
            stayed: components["schemas"]["Stayed"] | null;
            /** Worse */
            worse: boolean;
            /** Machine Ids */
            machine_ids: string[];
            words: components["schemas"]["ShiftWords"];
        };
        /**
         * EmptyCell
         * @description A side without a result in a row, and why.
         */
        EmptyCell: {
            /** Side */
            side: number;
            missing: components["schemas"]["Note"];
        };
        /** Ended */
        Ended: {
            /** Ended */
            ended: number;
        };
        /**
         * Enrol
         * @description A fleet's secret or one for this machine alone, and who enrols with it. Without a fleet's the
         *     machine's runs are public.
         */
        Enrol: {
            /** Secret */
            secret?: string | null;
            /**
             * Machine Id
             * Format: uuid
             */
            machine_id: string;
        };
        /** Enrolment */
        Enrolment: {
            /** Token */
            token: string;
            /** Fleet */
            fleet: string | null;
            /**
             * Visibility
             * @enum {string}
             */
            visibility: "private" | "members" | "public";
            /** Machine Id */
            machine_id: string;
        };
        /** Excluded */
        Excluded: {
            /** Reason */
            reason: string;
            severity: components["schemas"]["Severity"];
            /** Runs */
            runs: number;
        };
        /** ExcludedOfSide */
        ExcludedOfSide: {
            /** Reason */
            reason: string;
            severity: components["schemas"]["Severity"];
            /** Runs */
            runs: number;
            /** Side */
            side: number;
        };
        /** FacetTold */
        FacetTold: {
            /** Name */
            name: string;
            /** Distinct */
            distinct: number;
            /** Values */
            values: components["schemas"]["ValueTold"][];
        };
        /** FacetsTold */
        FacetsTold: {
            /** Total */
            total: number;
            /** Dimensions */
            dimensions: components["schemas"]["FacetTold"][];
        };
        /** Fact */
        Fact: {
            /** Name */
            name: string;
            /** Value */
            value: string;
        };
        /** Facts */
        Facts: {
            /** Title */
            title: string;
            /** Facts */
            facts: components["schemas"]["Fact"][];
        };
        /**
         * FailingItem
         * @description What was done for `item` when it failed, and why. `of` says what the item is an id of.
         *
         *     `name` is the fleet's; null where the item is none, or was deleted.
         */
        FailingItem: {
            /** Work */
            work: string;
            /**
             * Of
             * @enum {string}
             */
            of: "run" | "fleet";
            /** Item */
            item: string;
            /** Name */
            name: string | null;
            /** Reason */
            reason: string;
            /** Attempts */
            attempts: number;
            /** Last At */
            last_at: string | null;
            /** Retry At */
            retry_at: string | null;
        };
        /**
         * Failures
         * @description `total` is how many there are; `items` are the newest of them.
         */
        Failures: {
            /** Items */
            items: components["schemas"]["FailingItem"][];
            /** Total */
            total: number;
        };
        /**
         * Figure
         * @description All that is said of an answer, or of sides beside one another.
         */
        Figure: {
            /** Title */
            title: string;
            /** Text */
            text: string;
            /** Runs */
            runs: number;
            /** Charts */
            charts: components["schemas"]["Chart"][];
            /**
             * Mixed
             * @default
             */
            mixed?: string;
            /**
             * Told
             * @default []
             */
            told?: string[];
            /**
             * Nothing
             * @default
             */
            nothing?: string;
            /**
             * Notes
             * @default []
             */
            notes?: components["schemas"]["Remark"][];
            /**
             * Flags
             * @default []
             */
            flags?: components["schemas"]["FlagNote"][];
            /**
             * Sources
             * @default []
             */
            sources?: components["schemas"]["CitedArticle"][];
            /**
             * Of Hosts
             * @default
             */
            of_hosts?: string;
        };
        /**
         * FigureThen
         * @description A figure as it is printed, and what it is based on: "3 machines, 4 runs".
         */
        FigureThen: {
            /** Text */
            text: string;
            /** Based On */
            based_on: string;
        };
        /**
         * FilledCell
         * @description A side's figures in a row; beside the baseline's, `no_ratio` says why there is no ratio.
         */
        FilledCell: {
            /** Ci Low */
            ci_low?: number;
            /** Ci High */
            ci_high?: number;
            /** Interval */
            interval?: string;
            /** Printed */
            printed?: string[];
            /** Figures */
            figures?: components["schemas"]["PrintedResult"][];
            /** Qualifier */
            qualifier?: string;
            /** Citations */
            citations?: components["schemas"]["Citation"][];
            /** Run Ids */
            run_ids?: string[];
            /** P10 */
            p10: number;
            /** P25 */
            p25: number;
            /** P75 */
            p75: number;
            /** P90 */
            p90: number;
            /** Min */
            min: number;
            /** Max */
            max: number;
            /** Mean */
            mean: number;
            /** Machines */
            machines: number;
            /** Runs */
            runs: number;
            /** Samples */
            samples: number;
            /** Mixes */
            mixes?: components["schemas"]["Mix"][];
            /** Mix */
            mix?: string;
            /** Median */
            median: number;
            no_interval?: components["schemas"]["NoInterval"];
            /** Flags */
            flags: components["schemas"]["CountedFlag"][];
            spread?: components["schemas"]["Spread"];
            /** Side */
            side: number;
            ratio?: components["schemas"]["SideRatio"];
            no_ratio?: components["schemas"]["Refusal"];
        };
        /**
         * FilterWords
         * @description A filter as verb and value: "is not" and "USB4".
         *
         *     `inside` is both after the dimension's title: "not USB4". `alone` is where nothing says of what
         *     it is: "not USB4", "4 threads".
         */
        FilterWords: {
            /** Where */
            where: string;
            /** Verb */
            verb: string;
            /** Value */
            value: string;
            /** Inside */
            inside: string;
            /** Alone */
            alone: string;
        };
        /**
         * FiltersTold
         * @description Each of the filters; and for each dimension one text: "Storage: USB4 or Thunderbolt 5".
         */
        FiltersTold: {
            /** Filters */
            filters: components["schemas"]["FilterWords"][];
            /** Told */
            told: string[];
        };
        /**
         * FitTold
         * @description A curve through group medians; x is `over`.
         *
         *     `within_machines`: not all groups are of the same machines, so the curve is through what their
         *     machines have in common (absent in answers saved before it was added).
         */
        FitTold: {
            /**
             * Model
             * @enum {string}
             */
            model: "linear" | "power" | "quadratic" | "theil_sen";
            /** Coefficients */
            coefficients: number[];
            /** Equation */
            equation: string;
            /** R2 */
            r2: number;
            /** Low */
            low: number;
            /** High */
            high: number;
            /** Points */
            points: number;
            /** Over */
            over: string;
            /** Key */
            key: {
                [key: string]: string | number | boolean | null;
            };
            /** Published */
            published: boolean;
            /** Method */
            method: string;
            /** Method Version */
            method_version: number;
            /** Within Machines */
            within_machines?: boolean;
        };
        /**
         * FittedCurve
         * @description A fit: places and values at which it is drawn, within its points' range and beyond it.
         */
        FittedCurve: {
            /** Within */
            within: number[][][];
            /**
             * Beyond
             * @default []
             */
            beyond?: number[][][];
        };
        /**
         * Fixed
         * @description A determinant, the value that most machines have, and how many they are.
         */
        Fixed: {
            /** Dimension */
            dimension: string;
            /** Value */
            value: string | number | boolean | null;
            /** Machines */
            machines: number;
        };
        /** Flag */
        Flag: {
            /** Code */
            code: string;
            severity: components["schemas"]["Severity"];
            /** Sentence */
            sentence: string;
        };
        /**
         * FlagNote
         * @description A flag of the answer under the letter that stands for it beside figures.
         */
        FlagNote: {
            /** Letter */
            letter: string;
            /** Code */
            code: string;
            /** Sentence */
            sentence: string;
            /** Runs */
            runs: number;
            /** Text */
            text: string;
            /**
             * Doubt
             * @default false
             */
            doubt?: boolean;
        };
        /**
         * FleetChanges
         * @description What is absent stays. Going public needs consent to the licence; only an admin of the server
         *     says that a fleet is verified.
         */
        FleetChanges: {
            /** Name */
            name?: string | null;
            /** Visibility */
            visibility?: ("private" | "members" | "public") | null;
            /**
             * Consent
             * @default false
             */
            consent?: boolean;
            /** Verified */
            verified?: boolean | null;
        };
        /**
         * FleetLink
         * @description A saved comparison whose figures rest on runs of the fleet.
         *
         *     `url` and `title` are null where its owner alone gives the link away. `on_purpose`: an admin of
         *     the fleet shared it, and it stays when the fleet goes private.
         */
        FleetLink: {
            /** Id */
            id: string;
            /** Title */
            title: string | null;
            /** Url */
            url: string | null;
            /** On Purpose */
            on_purpose: boolean;
            /** Created At */
            created_at: string;
            /** Figures */
            figures: number;
            /** Run Ids */
            run_ids: number;
            /**
             * Shows
             * @enum {string}
             */
            shows: "everything" | "some" | "nothing";
        };
        /** FleetLinks */
        FleetLinks: {
            /** Items */
            items: components["schemas"]["FleetLink"][];
        };
        /** FleetMachine */
        FleetMachine: {
            /** Id */
            id: string;
            /** Name */
            name: string | null;
            /** Run Id */
            run_id: string;
            /** Runs */
            runs: number;
            /** Last Received At */
            last_received_at: string;
            /** Chip */
            chip: string | null;
            /** Model Name */
            model_name: string | null;
            /** Virtual */
            virtual: boolean;
            /** Os Version */
            os_version: string | null;
            /** Agent Version */
            agent_version: string | null;
            /** Encryption */
            encryption: string | null;
            /** Storages */
            storages: string[];
            /** Amiss */
            amiss: ("silent" | "old_agent" | "no_filevault")[];
            words: components["schemas"]["FleetMachineWords"];
        };
        /** FleetMachineWords */
        FleetMachineWords: {
            /** Title */
            title: string;
            /** System */
            system: string;
            /** Encryption */
            encryption: string;
            /** Storages */
            storages: string;
        };
        /** FleetMachines */
        FleetMachines: {
            /** Items */
            items: components["schemas"]["FleetMachine"][];
            /** Total */
            total: number;
        };
        /** FleetOfPerson */
        FleetOfPerson: {
            /** Name */
            name: string;
            /**
             * Role
             * @enum {string}
             */
            role: "viewer" | "admin";
        };
        /** FleetTold */
        FleetTold: {
            /** Id */
            id: string;
            /** Name */
            name: string;
            /**
             * Visibility
             * @enum {string}
             */
            visibility: "private" | "members" | "public";
            /** Verified */
            verified: boolean;
            /**
             * Role
             * @enum {string}
             */
            role: "viewer" | "admin";
            /** Created At */
            created_at: string;
            /** Machines */
            machines: number;
            /** People */
            people: number;
        };
        /** Fleets */
        Fleets: {
            /** Items */
            items: components["schemas"]["FleetTold"][];
            /** May Create */
            may_create: boolean;
        };
        /** Forgotten */
        Forgotten: {
            /**
             * Outcome
             * @enum {string}
             */
            outcome: "deleted" | "retired";
            /** Runs */
            runs: number;
        };
        /** FreshToken */
        FreshToken: {
            /** Token */
            token: string;
        };
        /**
         * GeometricMean
         * @description The geometric mean of ratios turned so that above 1 is better; no sides: nothing covered.
         */
        GeometricMean: {
            /** Covers */
            covers: components["schemas"]["Covered"][];
            /** Left Out */
            left_out: components["schemas"]["NotCovered"][];
            /** Sides */
            sides: components["schemas"]["SideMean"][];
            /** Areas */
            areas?: components["schemas"]["AreaMean"][];
        };
        /**
         * Given
         * @description How many runs have another machine now.
         */
        Given: {
            /** Runs */
            runs: number;
        };
        /**
         * Grid
         * @description Cases of two kinds as rows and columns, each column shaded on a scale of its own.
         */
        Grid: {
            /** Title */
            title: string;
            /** Columns */
            columns: string[];
            /** Rows */
            rows: components["schemas"]["GridRow"][];
        };
        /**
         * GridCell
         * @description `lane` is the id of the lane whose figure it prints; `shade` goes from 0 to 1, the lowest and
         *     the highest of its column.
         */
        GridCell: {
            /** Lane */
            lane: string;
            /** Shade */
            shade: number;
        };
        /**
         * GridRow
         * @description A cell for each column, or none where nothing was measured.
         */
        GridRow: {
            /** Label */
            label: string;
            /** Cells */
            cells: (components["schemas"]["GridCell"] | null)[];
        };
        /** Group */
        Group: {
            /** Ci Low */
            ci_low?: number;
            /** Ci High */
            ci_high?: number;
            /** Interval */
            interval?: string;
            /** Printed */
            printed?: string[];
            /** Figures */
            figures?: components["schemas"]["PrintedResult"][];
            /** Qualifier */
            qualifier?: string;
            /** Citations */
            citations?: components["schemas"]["Citation"][];
            /** Run Ids */
            run_ids?: string[];
            /** P10 */
            p10: number;
            /** P25 */
            p25: number;
            /** P75 */
            p75: number;
            /** P90 */
            p90: number;
            /** Min */
            min: number;
            /** Max */
            max: number;
            /** Mean */
            mean: number;
            /** Machines */
            machines: number;
            /** Runs */
            runs: number;
            /** Samples */
            samples: number;
            /** Mixes */
            mixes?: components["schemas"]["Mix"][];
            /** Mix */
            mix?: string;
            /** Median */
            median: number;
            no_interval?: components["schemas"]["NoInterval"];
            /** Flags */
            flags: components["schemas"]["CountedFlag"][];
            spread?: components["schemas"]["Spread"];
            /** Key */
            key: {
                [key: string]: string | number | boolean | null;
            };
            /** Published */
            published: boolean;
            /** Method */
            method: string;
            /** Method Version */
            method_version: number;
            ratio?: components["schemas"]["Ratio"];
        };
        /**
         * HeadlineTold
         * @description A figure as it is printed; `low` and `high` are the ends of its strip.
         *
         *     `canonical` asks for it and for those beside it; `page` answers that, where there is one.
         */
        HeadlineTold: {
            /** Title */
            title: string;
            /** Page */
            page: ("/storage" | "/threads" | "/cores" | "/power" | "/workloads") | null;
            /** Canonical */
            canonical: string;
            /** Value */
            value: string;
            /** Interval */
            interval: string;
            /** Behind */
            behind: string;
            /** Rank */
            rank: string;
            /** At */
            at: number;
            /** Low */
            low: string;
            /** High */
            high: string;
            /** Published */
            published: boolean;
            /** Others */
            others: components["schemas"]["Dot"][];
            /**
             * Changed
             * @default
             */
            changed?: string;
        };
        /**
         * Health
         * @description How many machines have each problem; FileVault counts where the fleet requires it.
         */
        Health: {
            /** Silent */
            silent: number;
            /** Old Agent */
            old_agent: number;
            /** No Filevault */
            no_filevault: number;
            /** Silent Days */
            silent_days: number;
            /** Newest Agent */
            newest_agent: string | null;
            /** Least Agent */
            least_agent: string | null;
            /** Filevault Required */
            filevault_required: boolean;
            /** Refusals */
            refusals: components["schemas"]["Refused"][];
        };
        /** InvitationMade */
        InvitationMade: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Fleet */
            fleet: string | null;
            /**
             * Role
             * @enum {string}
             */
            role: "viewer" | "admin";
            /** Email */
            email: string | null;
            /** Invited By */
            invited_by: string | null;
            /** Created At */
            created_at: string;
            /** Expires At */
            expires_at: string;
            /** Link */
            link: string;
            /** Mailed */
            mailed: boolean;
            /** Mail Problem */
            mail_problem: string | null;
        };
        /** InvitationNew */
        InvitationNew: {
            /** Fleet */
            fleet?: string | null;
            /**
             * Role
             * @enum {string}
             */
            role: "viewer" | "admin";
            /** Email */
            email?: string | null;
        };
        /** InvitationTold */
        InvitationTold: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Fleet */
            fleet: string | null;
            /**
             * Role
             * @enum {string}
             */
            role: "viewer" | "admin";
            /** Email */
            email: string | null;
            /** Invited By */
            invited_by: string | null;
            /** Created At */
            created_at: string;
            /** Expires At */
            expires_at: string;
        };
        /** Invitations */
        Invitations: {
            /** Items */
            items: components["schemas"]["InvitationTold"][];
        };
        /**
         * Judged
         * @description `answer` is shown on a withdrawn run's page, and to whoever reported a problem with it.
         */
        Judged: {
            /**
             * Decision
             * @enum {string}
             */
            decision: "stands" | "withdrawn";
            /** Answer */
            answer: string;
        };
        /**
         * KeyEntry
         * @description What a sign of the chart stands for; a mark tells metrics apart.
         */
        KeyEntry: {
            /**
             * Sign
             * @enum {string}
             */
            sign: "mark" | "hollow" | "band" | "interval" | "whisker" | "curve" | "extrapolated" | "crossed" | "boundary";
            /** Text */
            text: string;
            /**
             * Mark
             * @default circle
             * @enum {string}
             */
            mark?: "square" | "circle" | "triangle" | "diamond";
        };
        /**
         * Kind
         * @enum {string}
         */
        Kind: "text" | "number" | "boolean";
        /**
         * KnownMac
         * @description A machine of a fleet, by one of its ids.
         */
        KnownMac: {
            /** Id */
            id: string;
            /** Title */
            title: string;
            /** Chip */
            chip: string | null;
            /** Runs */
            runs: number;
            /** First At */
            first_at: string;
            /** Last At */
            last_at: string;
        };
        /**
         * Lane
         * @description One line of a case: one metric, measured or published, by one method.
         *
         *     A printed ratio among speeds has no value and stays words (`text` and `of`).
         */
        Lane: {
            /** Id */
            id: string;
            /**
             * Mark
             * @enum {string}
             */
            mark: "square" | "circle" | "triangle" | "diamond";
            /** Text */
            text: string;
            /**
             * Metric
             * @default
             */
            metric?: string;
            /**
             * Name
             * @default
             */
            name?: string;
            /**
             * Full
             * @default
             */
            full?: string;
            /** Value */
            value?: number | null;
            /** Band */
            band?: number[] | null;
            /** Interval */
            interval?: number[] | null;
            /**
             * Within
             * @default false
             */
            within?: boolean;
            /**
             * Of
             * @default
             */
            of?: string;
            /**
             * Apart
             * @default
             */
            apart?: string;
            /**
             * Weight
             * @default
             */
            weight?: string;
            /**
             * Dagger
             * @default
             */
            dagger?: string;
            /**
             * Articles
             * @default []
             */
            articles?: string[];
            /**
             * Flags
             * @default []
             */
            flags?: string[];
            /**
             * Alarming
             * @default false
             */
            alarming?: boolean;
            /**
             * Hollow
             * @default false
             */
            hollow?: boolean;
            /**
             * Doubted
             * @default false
             */
            doubted?: boolean;
            /**
             * Mixes
             * @default
             */
            mixes?: string;
            /**
             * Method
             * @default
             */
            method?: string;
            /**
             * Run
             * @default
             */
            run?: string;
            /** Cells */
            cells?: {
                [key: string]: string;
            } | null;
        };
        /**
         * LevelChange
         * @description From this run on another level; a steady line has one in at most 1% of cases.
         */
        LevelChange: {
            /** Run Id */
            run_id: string;
            /** At */
            at: string;
            /** Before */
            before: number;
            /** After */
            after: number;
            /** Ratio */
            ratio: number | null;
            /** Os Before */
            os_before: string | null;
            /** Os After */
            os_after: string | null;
        };
        /** Licence */
        Licence: {
            /** Name */
            name: string;
            /** Text */
            text: string;
        };
        /**
         * LikelyMerge
         * @description Two ids that may be one Mac, which was erased.
         */
        LikelyMerge: {
            former: components["schemas"]["KnownMac"];
            present: components["schemas"]["KnownMac"];
        };
        /**
         * Likeness
         * @description How two groups were made alike: by pairs of one machine, inside strata that both have, or
         *     not at all, where nothing else differs (`medians`).
         *
         *     `held` are the dimensions that are equal within the `strata`; `machines` and
         *     `reference_machines` are those in them.
         */
        Likeness: {
            /**
             * Method
             * @enum {string}
             */
            method: "pairs" | "strata" | "medians";
            /** Held */
            held: string[];
            /** Strata */
            strata?: number;
            /** Machines */
            machines?: number;
            /** Reference Machines */
            reference_machines?: number;
        };
        /**
         * Line
         * @description What was measured in one way on one thing; `configuration` without what is not stated.
         *
         *     Changes are looked for among the medians of all days; below `fewest_days` there are none.
         *     `steps` say what can be seen with fewer. `points` are the newest ones, with the first one and
         *     those that a change, a step or an update came with; `earlier` counts those that are left out.
         */
        Line: {
            /** Metric */
            metric: string;
            /** Title */
            title: string;
            /** Unit */
            unit: string;
            better: components["schemas"]["Better"];
            /** Parameters */
            parameters: {
                [key: string]: string | number | boolean | null;
            };
            /**
             * Source
             * @enum {string}
             */
            source: "measured" | "imported" | "published";
            /** Method */
            method: string;
            /** Method Version */
            method_version: number;
            /** Configuration */
            configuration: {
                [key: string]: string | number | boolean | {
                    [key: string]: string;
                } | null;
            };
            /** Points */
            points: components["schemas"]["Point"][];
            /** Earlier */
            earlier: number;
            /** Days */
            days: number;
            /** Fewest Days */
            fewest_days: number;
            /** Changes */
            changes: components["schemas"]["LevelChange"][];
            /** Os Updates */
            os_updates: components["schemas"]["OsUpdate"][];
            /** Steps */
            steps?: components["schemas"]["Step"][];
        };
        /**
         * LinePoint
         * @description `lane` is the id of the lane that shows it.
         */
        LinePoint: {
            /** X */
            x: number;
            /** Y */
            y: number;
            /** Lane */
            lane: string;
            /** Text */
            text: string;
            /** Band */
            band?: number[] | null;
            /** Whisker */
            whisker?: number[] | null;
            /**
             * Doubted
             * @default false
             */
            doubted?: boolean;
        };
        /**
         * LineWords
         * @description Lines of one metric under the same parameters share a unit; `points` are digits in it.
         *
         *     `name` is what the line was measured on, `apart` as much of it as tells it from the others under
         *     these `parameters`.
         */
        LineWords: {
            /** Name */
            name: string;
            /** Apart */
            apart: string;
            /** Parameters */
            parameters: string;
            /** Colour */
            colour: string;
            /** Divisor */
            divisor: number;
            axis: components["schemas"]["Axis"];
            /** Points */
            points: string[];
            /** Changes */
            changes: components["schemas"]["ChangeWords"][];
            /** Changed */
            changed: string;
            p50: components["schemas"]["Quantile"];
            p90: components["schemas"]["Quantile"];
            /**
             * Steps
             * @default []
             */
            steps?: string[];
        };
        /** LinkSecret */
        LinkSecret: {
            /** Secret */
            secret: string;
        };
        /** LinkTold */
        LinkTold: {
            /**
             * Purpose
             * @enum {string}
             */
            purpose: "first_admin" | "invitation" | "claim";
            /** Fleet */
            fleet: string | null;
            /** Role */
            role: ("viewer" | "admin") | null;
            /** Email */
            email: string | null;
            /** Invited By */
            invited_by: string | null;
            /** Machine Id */
            machine_id: string | null;
            /** Accounts */
            accounts: boolean;
            /** Expires At */
            expires_at: string;
        };
        /** ListedMachine */
        ListedMachine: {
            /** Id */
            id: string;
            /** Chip */
            chip: string | null;
            /** Model Name */
            model_name: string | null;
            /** Os Version */
            os_version: string | null;
            /** Virtual */
            virtual: boolean;
            /** Host Machine Id */
            host_machine_id: string | null;
            /** Runs */
            runs: number;
            /** Suites */
            suites: string[];
            /** Sources */
            sources: string[];
            /** Last Received At */
            last_received_at: string;
            words: components["schemas"]["MachineWords"];
        };
        /**
         * ListedRun
         * @description `words` says the same as a list shows it.
         */
        ListedRun: {
            /** Id */
            id: string;
            /** Suite */
            suite: string;
            /**
             * Source
             * @enum {string}
             */
            source: "measured" | "imported" | "published";
            /**
             * State
             * @enum {string}
             */
            state: "complete" | "incomplete";
            /** Simulated */
            simulated: boolean;
            /** Method */
            method: string;
            /** Method Version */
            method_version: number;
            /** Started At */
            started_at: string | null;
            /** Finished At */
            finished_at: string | null;
            /** Received At */
            received_at: string;
            machine: components["schemas"]["RunMachine"];
            /** Os Version */
            os_version: string | null;
            /** Storage */
            storage: string | null;
            /** Device */
            device: string | null;
            /** Encryption */
            encryption: string | null;
            /** Image Format */
            image_format: string | null;
            /** Virtual */
            virtual: boolean;
            /** Chief */
            chief: components["schemas"]["ChiefFigure"][];
            /** Flags */
            flags: components["schemas"]["Flag"][];
            withdrawn: components["schemas"]["Withdrawn"] | null;
            citation: components["schemas"]["Citation"] | null;
            words: components["schemas"]["RunWords"];
        };
        /**
         * MachineChanges
         * @description What is absent stays.
         */
        MachineChanges: {
            /**
             * Name
             * @description as its owners call it; empty for none
             */
            name?: string | null;
            /**
             * Retired
             * @description whether nobody waits for its runs any more
             */
            retired?: boolean | null;
            /**
             * Barred
             * @description whether it may not enrol again
             */
            barred?: boolean | null;
            /**
             * Fleet
             * @description the fleet that it moves to, with its runs
             */
            fleet?: string | null;
        };
        /**
         * MachineDetail
         * @description `machine` and `environment` as its agent sent them last.
         */
        MachineDetail: {
            /** Id */
            id: string;
            /** Chip */
            chip: string | null;
            /** Model Name */
            model_name: string | null;
            /** Os Version */
            os_version: string | null;
            /** Virtual */
            virtual: boolean;
            /** Host Machine Id */
            host_machine_id: string | null;
            /** Guests */
            guests: string[];
            /** Machine */
            machine: {
                [key: string]: unknown;
            };
            /** Environment */
            environment: {
                [key: string]: unknown;
            };
            /** Runs */
            runs: number;
            /** First At */
            first_at: string;
            /** Last At */
            last_at: string;
            /** Suites */
            suites: string[];
            /** Sources */
            sources: string[];
            /** Os Versions */
            os_versions: components["schemas"]["OsVersion"][];
            /** Measured */
            measured: components["schemas"]["MeasuredMetric"][];
            /** As Of */
            as_of: string;
            words: components["schemas"]["MachineDetailWords"];
        };
        /**
         * MachineDetailWords
         * @description `measured` names each metric under each set of its parameters, as `measured` lists them.
         */
        MachineDetailWords: {
            /** Title */
            title: string;
            /** System */
            system: string;
            /** Suites */
            suites: string[];
            /** Facts */
            facts: components["schemas"]["Facts"][];
            /** Measured */
            measured: string[][];
        };
        /**
         * MachineSecret
         * @description What one Mac enrols with again, by `command`.
         */
        MachineSecret: {
            /** Secret */
            secret: string;
            /** Command */
            command: string;
            /** Expires At */
            expires_at: string;
        };
        /** MachineWords */
        MachineWords: {
            /** Title */
            title: string;
            /** System */
            system: string;
            /** Suites */
            suites: string[];
        };
        /** Machines */
        Machines: {
            /** Items */
            items: components["schemas"]["ListedMachine"][];
            /** Total */
            total: number;
            /** Next */
            next: string | null;
        };
        /** MailAsked */
        MailAsked: {
            /**
             * How
             * @enum {string}
             */
            how: "at_once" | "digest" | "off";
        };
        /**
         * MeasuredMetric
         * @description `parameters`: each set of them under which there are results.
         */
        MeasuredMetric: {
            /** Metric */
            metric: string;
            /** Title */
            title: string;
            /** Unit */
            unit: string;
            better: components["schemas"]["Better"];
            /** Parameters */
            parameters: {
                [key: string]: string | number | boolean | null;
            }[];
            /** Runs */
            runs: number;
        };
        /** Members */
        Members: {
            /** Items */
            items: components["schemas"]["PersonInFleet"][];
        };
        /**
         * Merge
         * @description The id that the same Mac has now, or is to keep.
         */
        Merge: {
            /**
             * Into
             * Format: uuid
             */
            into: string;
        };
        /**
         * Merged
         * @description An id that was merged into another, whose name, model and chip these are.
         */
        Merged: {
            /** Machine Id */
            machine_id: string;
            /** Into */
            into: string;
            /** Title */
            title: string;
            /** Chip */
            chip: string | null;
            /** Runs */
            runs: number;
            /** At */
            at: string | null;
        };
        /** Merges */
        Merges: {
            /** Likely */
            likely: components["schemas"]["LikelyMerge"][];
            /** Merged */
            merged: components["schemas"]["Merged"][];
        };
        /**
         * MetricAnswer
         * @description `derivation_versions` where not all figures were derived by the answer's version.
         */
        MetricAnswer: {
            /** Metric */
            metric: string;
            /** Title */
            title: string;
            /** Unit */
            unit: string;
            better: components["schemas"]["Better"];
            /** Groups */
            groups: components["schemas"]["Group"][];
            /** Published */
            published: components["schemas"]["AnsweredFigure"][];
            /** Fits */
            fits?: components["schemas"]["FitTold"][];
            /** Excluded */
            excluded: components["schemas"]["Excluded"][];
            /** Notes */
            notes: components["schemas"]["Note"][];
            /** Derivation Versions */
            derivation_versions?: number[];
        };
        /**
         * Mix
         * @description A dimension that changes the metric's value, and how many of its values are pooled.
         */
        Mix: {
            /** Dimension */
            dimension: string;
            /** Count */
            count: number;
        };
        /** NamedFleet */
        NamedFleet: {
            /** Id */
            id: string;
            /** Name */
            name: string;
        };
        /**
         * NewAnswer
         * @description `owner_secret` is shown this once.
         */
        NewAnswer: {
            /** Slug */
            slug: string;
            /** Private */
            private: boolean;
            /** Fewest Machines */
            fewest_machines: number | null;
            /** Title */
            title: string | null;
            /** Note */
            note: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "active" | "paused" | "revoked" | "expired";
            /** Created At */
            created_at: string;
            /** Expires At */
            expires_at: string | null;
            /** Format */
            format: number;
            /** Content Hash */
            content_hash: string;
            /** Runs */
            runs: number;
            /** Runs Hash */
            runs_hash: string;
            /** Withdrawn */
            withdrawn: components["schemas"]["WithdrawnRun"][];
            /** Withheld */
            withheld: number;
            /** Url */
            url: string;
            /** Live Hash */
            live_hash: string;
            /** Changed */
            changed: boolean;
            change?: components["schemas"]["ChangeTold"];
            /** Computed Differently */
            computed_differently: components["schemas"]["ComputedDifferently"][];
            figure: components["schemas"]["Figure"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "question";
            question: components["schemas"]["QuestionTold"];
            answer: components["schemas"]["Answer"];
            /** Owner Secret */
            owner_secret: string;
        };
        /**
         * NewComparison
         * @description `question` is a query string, as in the address of a view or, with sides, of Compare.
         *
         *     A `private` link is too long to be guessed, and search engines are asked not to list it.
         */
        NewComparison: {
            /** Question */
            question: string;
            /** Title */
            title?: string | null;
            /** Note */
            note?: string | null;
            /**
             * Private
             * @default false
             */
            private?: boolean;
            /**
             * Shares Fleet
             * @default false
             */
            shares_fleet?: boolean;
            /**
             * Fewest Machines
             * @default 5
             */
            fewest_machines?: number;
        };
        /** NewFleet */
        NewFleet: {
            /** Name */
            name: string;
        };
        /** NewPasswordSet */
        NewPasswordSet: {
            /** Password */
            password: string;
            /** Current */
            current?: string | null;
        };
        /** NewSecret */
        NewSecret: {
            /** Id */
            id: string;
            /** Name */
            name: string;
            /** Quota */
            quota: number | null;
            /** Used */
            used: number;
            /** Created At */
            created_at: string;
            /** Expires At */
            expires_at: string | null;
            /** Revoked At */
            revoked_at: string | null;
            /** Secret */
            secret: string;
            /** Command */
            command: string;
        };
        /**
         * NewSides
         * @description `owner_secret` is shown this once.
         */
        NewSides: {
            /** Slug */
            slug: string;
            /** Private */
            private: boolean;
            /** Fewest Machines */
            fewest_machines: number | null;
            /** Title */
            title: string | null;
            /** Note */
            note: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "active" | "paused" | "revoked" | "expired";
            /** Created At */
            created_at: string;
            /** Expires At */
            expires_at: string | null;
            /** Format */
            format: number;
            /** Content Hash */
            content_hash: string;
            /** Runs */
            runs: number;
            /** Runs Hash */
            runs_hash: string;
            /** Withdrawn */
            withdrawn: components["schemas"]["WithdrawnRun"][];
            /** Withheld */
            withheld: number;
            /** Url */
            url: string;
            /** Live Hash */
            live_hash: string;
            /** Changed */
            changed: boolean;
            change?: components["schemas"]["ChangeTold"];
            /** Computed Differently */
            computed_differently: components["schemas"]["ComputedDifferently"][];
            figure: components["schemas"]["Figure"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "sides";
            question: components["schemas"]["SidesTold"];
            answer: components["schemas"]["Compared"];
            /** Owner Secret */
            owner_secret: string;
        };
        /** NewUploader */
        NewUploader: {
            /** Id */
            id: string;
            /** Name */
            name: string;
            /** Secret */
            secret: string;
        };
        /**
         * NewWebhook
         * @description `secret` is shown here and never again.
         */
        NewWebhook: {
            /** Id */
            id: string;
            /** Url */
            url: string;
            /** Secret */
            secret: string;
        };
        /**
         * NewerMacos
         * @description From this month on most Macs ran this version.
         */
        NewerMacos: {
            /** Month */
            month: string;
            /** Os Version */
            os_version: string;
        };
        /**
         * NoInterval
         * @description Why figures have no interval.
         * @enum {string}
         */
        NoInterval: "few_machines" | "few_runs" | "few_models";
        /** NotCovered */
        NotCovered: {
            /** Metric */
            metric: string;
            /** Parameters */
            parameters: {
                [key: string]: string | number | boolean | null;
            };
            /** Method */
            method: string | null;
            /**
             * Reason
             * @enum {string}
             */
            reason: "not_all_sides" | "no_ratio" | "zero" | "neither_is_better" | "counted_by_another_method";
        };
        /** Note */
        Note: {
            /** Code */
            code: string;
            /** Text */
            text: string;
        };
        /**
         * OEmbed
         * @description oembed.com, 1.0.
         */
        OEmbed: {
            /**
             * Version
             * @constant
             */
            version: "1.0";
            /**
             * Type
             * @constant
             */
            type: "rich";
            /** Title */
            title: string;
            /** Provider Name */
            provider_name: string;
            /** Provider Url */
            provider_url: string;
            /** Html */
            html: string;
            /** Width */
            width: number;
            /** Height */
            height: number;
            /** Thumbnail Url */
            thumbnail_url: string;
            /** Thumbnail Width */
            thumbnail_width: number;
            /** Thumbnail Height */
            thumbnail_height: number;
            /** Cache Age */
            cache_age: number;
        };
        /**
         * Offer
         * @description A filter on all that is asked, printed as in addresses, and its words.
         */
        Offer: {
            /** Text */
            text: string;
            /** Where */
            where: string;
        };
        /** OidcAddress */
        OidcAddress: {
            /** Address */
            address: string;
        };
        /** OidcBegin */
        OidcBegin: {
            /**
             * To
             * @default /
             */
            to?: string;
            /** Link */
            link?: string | null;
        };
        /**
         * Op
         * @enum {string}
         */
        Op: "is" | "not" | "range" | "not_range";
        /**
         * OsUpdate
         * @description From this run on another macOS.
         */
        OsUpdate: {
            /** Run Id */
            run_id: string;
            /** Before */
            before: string;
            /** After */
            after: string;
        };
        /** OsVersion */
        OsVersion: {
            /** Os Version */
            os_version: string;
            /** First At */
            first_at: string;
            /** Last At */
            last_at: string;
            /** Runs */
            runs: number;
        };
        /**
         * Outcome
         * @enum {string}
         */
        Outcome: "different" | "no_evidence" | "not_enough" | "confounded";
        /**
         * Outlier
         * @description A `FoundOutlier`, in words as well.
         */
        Outlier: {
            /** Metric */
            metric: string;
            /** Title */
            title: string;
            better: components["schemas"]["Better"];
            /** Cohort */
            cohort: {
                [key: string]: string | number | boolean | null;
            };
            /** Where */
            where: string[];
            /** Ratio */
            ratio: number;
            /** Machines */
            machines: number;
            /** Machine Id */
            machine_id: string;
            words: components["schemas"]["OutlierWords"];
        };
        /** OutlierWords */
        OutlierWords: {
            /** Cohort */
            cohort: string;
            /** Change */
            change: string;
        };
        /**
         * OwnComparison
         * @description One that a person made or adopted; `of_fleet` where it shows a private fleet.
         */
        OwnComparison: {
            /** Slug */
            slug: string;
            /** Title */
            title: string | null;
            /** Note */
            note: string | null;
            /** Private */
            private: boolean;
            /** Of Fleet */
            of_fleet: boolean;
            /** State */
            state: ("active" | "paused" | "revoked" | "expired") | "tombstone";
            /** Created At */
            created_at: string;
            /** Expires At */
            expires_at: string | null;
            /** Runs */
            runs: number;
        };
        /** OwnComparisons */
        OwnComparisons: {
            /** Items */
            items: components["schemas"]["OwnComparison"][];
        };
        /** OwnFleet */
        OwnFleet: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Name */
            name: string;
            /**
             * Role
             * @enum {string}
             */
            role: "viewer" | "admin";
            /** Visibility */
            visibility: string;
        };
        /** OwnMachine */
        OwnMachine: {
            /** Id */
            id: string;
            /** Name */
            name: string | null;
            /** Retired At */
            retired_at: string | null;
        };
        /** OwnMachines */
        OwnMachines: {
            /** Items */
            items: components["schemas"]["OwnMachine"][];
        };
        /**
         * Panel
         * @description One metric's lines, or those of them that share a value of a dimension.
         */
        Panel: {
            /** Title */
            title: string;
            /** Series */
            series: components["schemas"]["Series"][];
            /**
             * Boundaries
             * @default []
             */
            boundaries?: components["schemas"]["Boundary"][];
        };
        /**
         * PasskeyAnswer
         * @description What `navigator.credentials` gave, as its `toJSON()` has it.
         */
        PasskeyAnswer: {
            /** Credential */
            credential: {
                [key: string]: unknown;
            };
        };
        /** PasskeyForLink */
        PasskeyForLink: {
            /** Secret */
            secret: string;
            /** Name */
            name: string;
        };
        /** PasskeyNew */
        PasskeyNew: {
            /** Credential */
            credential: {
                [key: string]: unknown;
            };
            /** Name */
            name: string;
        };
        /** PasskeyTold */
        PasskeyTold: {
            /** Id */
            id: string;
            /** Name */
            name: string;
            /** Created At */
            created_at: string;
            /** Last Used At */
            last_used_at: string | null;
        };
        /** Passkeys */
        Passkeys: {
            /** Items */
            items: components["schemas"]["PasskeyTold"][];
        };
        /** PasswordSignIn */
        PasswordSignIn: {
            /** Email */
            email: string;
            /** Password */
            password: string;
        };
        /** People */
        People: {
            /** Items */
            items: components["schemas"]["PersonListed"][];
            /** Total */
            total: number;
        };
        /**
         * Percentile
         * @description `machines` are the others; below `minimum` of them there is no place and no figure.
         */
        Percentile: {
            /** Question */
            question: string;
            /** Metric */
            metric: string;
            /** Title */
            title: string;
            /** Unit */
            unit: string;
            better: components["schemas"]["Better"];
            /** Published */
            published: boolean;
            /** Method */
            method: string;
            /** Method Version */
            method_version: number;
            /** Machine Id */
            machine_id: string;
            /** Run Id */
            run_id: string | null;
            /** Runs */
            runs: number;
            /** Mixes */
            mixes: components["schemas"]["Mix"][];
            /** Value */
            value: number;
            /** Machines */
            machines: number;
            /** Minimum */
            minimum: number;
            place: components["schemas"]["Place"] | null;
            cohort: components["schemas"]["CohortFigures"] | null;
            /** Os Version */
            os_version?: string | null;
            /** Usual */
            usual?: number | null;
            /** All Runs */
            all_runs?: number | null;
            words: components["schemas"]["PlaceWords"];
        };
        /** PersonChanges */
        PersonChanges: {
            /** Server Admin */
            server_admin: boolean;
        };
        /** PersonInFleet */
        PersonInFleet: {
            /** Id */
            id: string;
            /** Name */
            name: string;
            /** Email */
            email: string | null;
            /**
             * Role
             * @enum {string}
             */
            role: "viewer" | "admin";
            /** Since */
            since: string;
        };
        /** PersonListed */
        PersonListed: {
            /** Id */
            id: string;
            /** Name */
            name: string;
            /** Email */
            email: string | null;
            /** Server Admin */
            server_admin: boolean;
            /** Fleets */
            fleets: components["schemas"]["FleetOfPerson"][];
            /** Created At */
            created_at: string;
            /** Last Seen At */
            last_seen_at: string | null;
        };
        /** PersonToken */
        PersonToken: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Name */
            name: string;
            /**
             * Permission
             * @enum {string}
             */
            permission: "read" | "manage";
            fleet: components["schemas"]["PlaceTold"] | null;
            /** Created At */
            created_at: string;
            /** Last Used At */
            last_used_at: string | null;
            /** Expires At */
            expires_at: string | null;
        };
        /** PersonTokenMade */
        PersonTokenMade: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Name */
            name: string;
            /**
             * Permission
             * @enum {string}
             */
            permission: "read" | "manage";
            fleet: components["schemas"]["PlaceTold"] | null;
            /** Created At */
            created_at: string;
            /** Last Used At */
            last_used_at: string | null;
            /** Expires At */
            expires_at: string | null;
            /** Secret */
            secret: string;
        };
        /** PersonTokens */
        PersonTokens: {
            /** Items */
            items: components["schemas"]["PersonToken"][];
        };
        /** PersonTold */
        PersonTold: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Name */
            name: string;
            /** Email */
            email: string | null;
            /** Server Admin */
            server_admin: boolean;
            /** Has Password */
            has_password: boolean;
            /** Has Oidc */
            has_oidc: boolean;
        };
        /**
         * Personal
         * @description All that a server has of a person; each part as its table says it.
         */
        Personal: {
            /** Account */
            account: {
                [key: string]: unknown;
            };
            /** Passkeys */
            passkeys: {
                [key: string]: unknown;
            }[];
            /** Sessions */
            sessions: {
                [key: string]: unknown;
            }[];
            /** Tokens */
            tokens: {
                [key: string]: unknown;
            }[];
            /** Fleets */
            fleets: {
                [key: string]: unknown;
            }[];
            /** Machines */
            machines: {
                [key: string]: unknown;
            }[];
            /** Comparisons */
            comparisons: {
                [key: string]: unknown;
            }[];
            /** Comments */
            comments: {
                [key: string]: unknown;
            }[];
            /** Acts */
            acts: {
                [key: string]: unknown;
            }[];
        };
        /**
         * Place
         * @description `percentile` is the share of the others that it is better than, equals counted half; of those
         *     that it is above, where neither more nor less is better. The interval is 95%.
         */
        Place: {
            /** Percentile */
            percentile: number;
            /** Better Than */
            better_than: number;
            /** Equal To */
            equal_to: number;
            /** Ci Low */
            ci_low: number;
            /** Ci High */
            ci_high: number;
        };
        /** PlaceTold */
        PlaceTold: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Name */
            name: string;
            /**
             * Role
             * @enum {string}
             */
            role: "viewer" | "admin";
        };
        /**
         * PlaceWords
         * @description Without a place there is `text` alone, and no chart.
         */
        PlaceWords: {
            /** Text */
            text: string;
            /**
             * Lead
             * @default
             */
            lead?: string;
            /**
             * Note
             * @default
             */
            note?: string;
            /**
             * Alternative
             * @default
             */
            alternative?: string;
            /**
             * Beside
             * @default
             */
            beside?: string;
            /** Cohort */
            cohort?: {
                [key: string]: string;
            } | null;
        };
        /**
         * Point
         * @description A run's median; `at` is when it started, or was received where nobody says.
         */
        Point: {
            /** Run Id */
            run_id: string;
            /** At */
            at: string;
            /** Os Version */
            os_version: string | null;
            /** Value */
            value: number;
            /** Samples */
            samples: number;
            /** Printed */
            printed: string | null;
            /** Flags */
            flags: string[];
        };
        /**
         * Policy
         * @description The problems in this fleet.
         */
        Policy: {
            /**
             * Silent Days
             * @description without an upload a machine is silent
             */
            silent_days: number;
            /**
             * Filevault Required
             * @description a Mac without FileVault is listed as a problem
             */
            filevault_required: boolean;
            /**
             * Least Agent
             * @description an older agent is out of date; null: whatever is not the newest in the fleet
             */
            least_agent?: string | null;
        };
        /**
         * PrintedResult
         * @description One of several published figures of a group.
         *
         *     `differs` has the dimensions in which the group's figures differ, null where not stated.
         */
        PrintedResult: {
            /** Value */
            value: number;
            /** Printed */
            printed?: string;
            /** Qualifier */
            qualifier?: string;
            /** Differs */
            differs: {
                [key: string]: string | number | boolean | null;
            };
            /** Flags */
            flags: string[];
            citation?: components["schemas"]["Citation"];
            /** Run Id */
            run_id: string;
        };
        /**
         * Problem
         * @description RFC 9457, with a stable `code` and a pointer to the refused field.
         */
        Problem: {
            /** Type */
            type: string;
            /** Title */
            title: string;
            /** Status */
            status: number;
            /** Code */
            code: string;
            /** Detail */
            detail: string;
            /** Request Id */
            request_id: string;
            /** Pointer */
            pointer?: string | null;
            /** Errors */
            errors?: components["schemas"]["ProblemField"][] | null;
        };
        /** ProblemField */
        ProblemField: {
            /** Pointer */
            pointer: string;
            /** Code */
            code: string;
            /** Detail */
            detail: string;
        };
        /**
         * Quantile
         * @description A level of the line in base units, and its digits with their unit.
         */
        Quantile: {
            /** Value */
            value: number;
            /** Text */
            text: string;
        };
        /** QuestionTold */
        QuestionTold: {
            /** Canonical */
            canonical: string;
            /** Metrics */
            metrics: string[];
            /** By */
            by: string[];
            /** Where */
            where: components["schemas"]["TermTold"][];
            /** Relative To */
            relative_to: components["schemas"]["Reference"][];
            /**
             * Weight
             * @enum {string}
             */
            weight: "machine" | "run";
            /**
             * Flagged
             * @enum {string}
             */
            flagged: "exclude" | "include";
            /** Fit */
            fit: ("linear" | "power" | "quadratic" | "theil_sen") | null;
            /** Version */
            version: number;
        };
        /**
         * Ratio
         * @description `unlike`, of version 2: in what the group and its reference differ all the same.
         */
        Ratio: {
            /** Ci Low */
            ci_low?: number;
            /** Ci High */
            ci_high?: number;
            /** Interval */
            interval?: string;
            /** Value */
            value: number;
            /**
             * Pairing
             * @enum {string}
             */
            pairing: "paired" | "unpaired";
            /** Pairs */
            pairs?: number;
            verdict: components["schemas"]["Verdict"];
            likeness?: components["schemas"]["Likeness"];
            crude?: components["schemas"]["Crude"];
            /** Reference Key */
            reference_key: {
                [key: string]: string | number | boolean | null;
            };
            /** Unlike */
            unlike?: components["schemas"]["Unlike"][];
        };
        /**
         * Reason
         * @description Why, in a sentence or two.
         */
        Reason: {
            /** Reason */
            reason: string;
        };
        /** Reference */
        Reference: {
            /** Dimension */
            dimension: string;
            /** Value */
            value: string | number | boolean | null;
        };
        /**
         * Refusal
         * @description Where a filter on one of the `values` of a dimension makes a ratio possible, which.
         */
        Refusal: {
            /** Code */
            code: string;
            /** Text */
            text: string;
            /** Dimension */
            dimension?: string;
            /** Values */
            values?: (string | number | boolean | null)[];
        };
        /**
         * Refused
         * @description Runs that were not taken, for one reason: by how many devices.
         */
        Refused: {
            /** Code */
            code: string;
            /** Title */
            title: string;
            /** Runs */
            runs: number;
            /** Devices */
            devices: number;
            /** Last At */
            last_at: string;
        };
        /**
         * Remark
         * @description What a reader must know and would not guess; `code` says of what it speaks.
         */
        Remark: {
            /** Code */
            code: string;
            /** Text */
            text: string;
            /**
             * Minor
             * @default false
             */
            minor?: boolean;
            /**
             * Offers
             * @default []
             */
            offers?: components["schemas"]["Offer"][];
        };
        /** Renamed */
        Renamed: {
            /** Name */
            name: string;
        };
        /**
         * ResidencyGroup
         * @description `points` are (residency, frequency), thinned evenly; `samples` says of how many.
         */
        ResidencyGroup: {
            key: components["schemas"]["ResidencyKey"];
            /** Machines */
            machines: number;
            /** Runs */
            runs: number;
            /** Samples */
            samples: number;
            /** Outside */
            outside: number;
            /** Points */
            points: number[][];
            fit: components["schemas"]["Curve"] | null;
        };
        /** ResidencyKey */
        ResidencyKey: {
            /** Chip */
            chip: string | null;
            /** Power Mode */
            power_mode: string | null;
            /** Tier */
            tier: string;
        };
        /**
         * ResidencyTold
         * @description `runs` were read; `without` had no trace of cores, `older` were too many to read.
         *
         *     `panels` say of the groups what a page shows.
         */
        ResidencyTold: {
            /** Groups */
            groups: components["schemas"]["ResidencyGroup"][];
            /** Runs */
            runs: number;
            /** Doubted */
            doubted: number;
            /** Without */
            without: number;
            /** Older */
            older: number;
            /** As Of */
            as_of: string;
            /** Panels */
            panels: components["schemas"]["ChipPanel"][];
        };
        /**
         * ResultWords
         * @description `cells` are digits in `unit`; what a printed figure doesn't have is a dash.
         */
        ResultWords: {
            /** Name */
            name: string;
            /** Unit */
            unit: string;
            /** Parameters */
            parameters: string;
            /** Shared */
            shared: string;
            /** Cells */
            cells: {
                [key: string]: string;
            };
        };
        /** Retention */
        Retention: {
            policy: components["schemas"]["RetentionPolicy"] | null;
            /** Sweeps */
            sweeps: components["schemas"]["Sweep"][];
        };
        /**
         * RetentionEffect
         * @description What a policy does now.
         */
        RetentionEffect: {
            /** Runs */
            runs: number;
            /** Machines */
            machines: number;
            /** Links Kept */
            links_kept: number;
            /** Runs Kept */
            runs_kept: number;
            /** Links Lost */
            links_lost: number;
        };
        /**
         * RetentionPolicy
         * @description What stays of runs that were measured more than `days` days ago.
         */
        RetentionPolicy: {
            /** Days */
            days: number;
            /**
             * Keep
             * @enum {string}
             */
            keep: "nothing" | "medians";
            /** Keep Linked */
            keep_linked: boolean;
        };
        /** Review */
        Review: {
            /** Items */
            items: components["schemas"]["Waiting"][];
            /** Total */
            total: number;
        };
        /**
         * Role
         * @description What a metric is of, where a name would have to be guessed from: `thread` contains `read`.
         * @enum {string}
         */
        Role: "reads" | "writes" | "crosses_link" | "deviates" | "chief";
        /** RoleInFleet */
        RoleInFleet: {
            /**
             * Role
             * @enum {string}
             */
            role: "viewer" | "admin";
        };
        /**
         * Row
         * @description One metric by one method; no method where no side has anything.
         */
        Row: {
            /** Metric */
            metric: string;
            /** Title */
            title: string;
            /** Unit */
            unit: string;
            better: components["schemas"]["Better"];
            /** Parameters */
            parameters: {
                [key: string]: string | number | boolean | null;
            };
            /** Published */
            published: boolean | null;
            /** Method */
            method: string | null;
            /** Method Version */
            method_version: number | null;
            /** Cells */
            cells: (components["schemas"]["FilledCell"] | components["schemas"]["EmptyCell"])[];
            /** Excluded */
            excluded: components["schemas"]["ExcludedOfSide"][];
        };
        /**
         * RunDetail
         * @description `machine`, `environment` and `target` as the agent sent them.
         */
        RunDetail: {
            /** Id */
            id: string;
            /** Suite */
            suite: string;
            /**
             * Source
             * @enum {string}
             */
            source: "measured" | "imported" | "published";
            /**
             * State
             * @enum {string}
             */
            state: "complete" | "incomplete";
            /** Simulated */
            simulated: boolean;
            /** Method */
            method: string;
            /** Method Version */
            method_version: number;
            /** Started At */
            started_at: string | null;
            /** Finished At */
            finished_at: string | null;
            /** Received At */
            received_at: string;
            machine: components["schemas"]["RunMachine"];
            /** Os Version */
            os_version: string | null;
            /** Storage */
            storage: string | null;
            /** Device */
            device: string | null;
            /** Encryption */
            encryption: string | null;
            /** Image Format */
            image_format: string | null;
            /** Virtual */
            virtual: boolean;
            /** Chief */
            chief: components["schemas"]["ChiefFigure"][];
            /** Flags */
            flags: components["schemas"]["Flag"][];
            withdrawn: components["schemas"]["Withdrawn"] | null;
            citation: components["schemas"]["Citation"] | null;
            /** Environment */
            environment: {
                [key: string]: unknown;
            };
            /** Target */
            target: {
                [key: string]: unknown;
            } | null;
            /** Agent */
            agent: {
                [key: string]: unknown;
            } | null;
            /** Tool */
            tool: {
                [key: string]: unknown;
            } | null;
            /** Labels */
            labels: {
                [key: string]: string;
            };
            /** Method Parameters */
            method_parameters: {
                [key: string]: unknown;
            };
            /** Traces */
            traces: string[];
            /** Warnings */
            warnings: {
                [key: string]: unknown;
            }[];
            /** Results */
            results: components["schemas"]["RunResult"][];
            /** Published */
            published: components["schemas"]["RunFigure"][];
            /** Similar */
            similar: {
                [key: string]: string | number | boolean | null;
            };
            /** Document Sha256 */
            document_sha256: string;
            /** Document Bytes */
            document_bytes: number;
            /** Doubts */
            doubts: number;
            words: components["schemas"]["RunDetailWords"];
        };
        /**
         * RunDetailWords
         * @description `results` and `published` in the order of the run's; `curves` draw some of the results.
         */
        RunDetailWords: {
            /** Case */
            case: string;
            /** Machine */
            machine: string;
            /** Around */
            around: string;
            /** Figures */
            figures: components["schemas"]["ChiefWords"][];
            /** Title */
            title: string;
            /** Citation */
            citation: string;
            /** Document */
            document: string;
            /** Results */
            results: components["schemas"]["ResultWords"][];
            /** Published */
            published: string[];
            /** Samples */
            samples: components["schemas"]["SamplesPanel"][];
            /** Curves */
            curves: components["schemas"]["Chart"][];
            /** Facts */
            facts: components["schemas"]["Facts"][];
        };
        /**
         * RunFigure
         * @description A ratio or range that an article prints of the run.
         */
        RunFigure: {
            /**
             * Kind
             * @enum {string}
             */
            kind: "ratio" | "range";
            /** Value */
            value?: number;
            /** Low */
            low?: number;
            /** High */
            high?: number;
            /** Of */
            of?: {
                [key: string]: string | number | boolean | null;
            };
            /** To */
            to?: {
                [key: string]: string | number | boolean | null;
            };
            /** Qualifier */
            qualifier?: string;
            /** Printed */
            printed: string;
            /** Parameters */
            parameters: {
                [key: string]: string | number | boolean | null;
            };
            /** Metric */
            metric: string;
        };
        /**
         * RunMachine
         * @description With whatever else its agent says of it.
         */
        RunMachine: {
            /** Id */
            id: string;
            /** Model */
            model?: string | null;
            /** Model Name */
            model_name?: string | null;
            /** Chip */
            chip?: string | null;
            /** Core Tiers */
            core_tiers?: components["schemas"]["RunTier"][] | null;
            /** Unspecified */
            unspecified?: boolean;
        } & {
            [key: string]: unknown;
        };
        /** RunResult */
        RunResult: {
            /** Metric */
            metric: string;
            /** Title */
            title: string;
            /** Unit */
            unit: string;
            better: components["schemas"]["Better"];
            /** P10 */
            p10: number;
            /** P25 */
            p25: number;
            /** P75 */
            p75: number;
            /** P90 */
            p90: number;
            /** Min */
            min: number;
            /** Max */
            max: number;
            /** Mean */
            mean: number;
            /** N */
            n: number;
            /** P50 */
            p50: number;
            /** Parameters */
            parameters: {
                [key: string]: string | number | boolean | null;
            };
            /** Values */
            values: number[];
            /** Positions */
            positions: number[] | null;
            /** Printed */
            printed: string | null;
            /** Qualifier */
            qualifier: string | null;
            /** Flags */
            flags: components["schemas"]["Flag"][];
        };
        /** RunSummary */
        RunSummary: {
            /** Id */
            id: string;
            /** Suite */
            suite: string;
            /**
             * Source
             * @enum {string}
             */
            source: "measured" | "imported" | "published";
            /**
             * State
             * @enum {string}
             */
            state: "complete" | "incomplete";
            /** Simulated */
            simulated: boolean;
            /** Method */
            method: string;
            /** Method Version */
            method_version: number;
            /** Started At */
            started_at: string | null;
            /** Finished At */
            finished_at: string | null;
            /** Received At */
            received_at: string;
            machine: components["schemas"]["RunMachine"];
            /** Os Version */
            os_version: string | null;
            /** Storage */
            storage: string | null;
            /** Device */
            device: string | null;
            /** Encryption */
            encryption: string | null;
            /** Image Format */
            image_format: string | null;
            /** Virtual */
            virtual: boolean;
            /** Chief */
            chief: components["schemas"]["ChiefFigure"][];
            /** Flags */
            flags: components["schemas"]["Flag"][];
            withdrawn: components["schemas"]["Withdrawn"] | null;
            citation: components["schemas"]["Citation"] | null;
        };
        /**
         * RunTier
         * @description A kind of core, with whatever else its agent says of it.
         */
        RunTier: {
            /** Name */
            name: string;
            /** Cores */
            cores: number;
        } & {
            [key: string]: unknown;
        };
        /**
         * RunWords
         * @description `case` is what it ran on, `around` in what system.
         */
        RunWords: {
            /** Case */
            case: string;
            /** Machine */
            machine: string;
            /** Around */
            around: string;
            /** Figures */
            figures: components["schemas"]["ChiefWords"][];
        };
        /** Runs */
        Runs: {
            /** Items */
            items: components["schemas"]["ListedRun"][];
            /** Total */
            total: number;
            /** Next */
            next: string | null;
        };
        /**
         * SamplesPanel
         * @description Samples of one metric: values are divided by `divisor` to fit the axis' unit.
         */
        SamplesPanel: {
            /** Metric */
            metric: string;
            /** Title */
            title: string;
            /** Divisor */
            divisor: number;
            /** Decimals */
            decimals: number;
            across: components["schemas"]["Axis"];
            up: components["schemas"]["Axis"];
        };
        /** SavedAnswer */
        SavedAnswer: {
            /** Slug */
            slug: string;
            /** Private */
            private: boolean;
            /** Fewest Machines */
            fewest_machines: number | null;
            /** Title */
            title: string | null;
            /** Note */
            note: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "active" | "paused" | "revoked" | "expired";
            /** Created At */
            created_at: string;
            /** Expires At */
            expires_at: string | null;
            /** Format */
            format: number;
            /** Content Hash */
            content_hash: string;
            /** Runs */
            runs: number;
            /** Runs Hash */
            runs_hash: string;
            /** Withdrawn */
            withdrawn: components["schemas"]["WithdrawnRun"][];
            /** Withheld */
            withheld: number;
            /** Url */
            url: string;
            /** Live Hash */
            live_hash: string;
            /** Changed */
            changed: boolean;
            change?: components["schemas"]["ChangeTold"];
            /** Computed Differently */
            computed_differently: components["schemas"]["ComputedDifferently"][];
            figure: components["schemas"]["Figure"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "question";
            question: components["schemas"]["QuestionTold"];
            answer: components["schemas"]["Answer"];
        };
        /** SavedSides */
        SavedSides: {
            /** Slug */
            slug: string;
            /** Private */
            private: boolean;
            /** Fewest Machines */
            fewest_machines: number | null;
            /** Title */
            title: string | null;
            /** Note */
            note: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "active" | "paused" | "revoked" | "expired";
            /** Created At */
            created_at: string;
            /** Expires At */
            expires_at: string | null;
            /** Format */
            format: number;
            /** Content Hash */
            content_hash: string;
            /** Runs */
            runs: number;
            /** Runs Hash */
            runs_hash: string;
            /** Withdrawn */
            withdrawn: components["schemas"]["WithdrawnRun"][];
            /** Withheld */
            withheld: number;
            /** Url */
            url: string;
            /** Live Hash */
            live_hash: string;
            /** Changed */
            changed: boolean;
            change?: components["schemas"]["ChangeTold"];
            /** Computed Differently */
            computed_differently: components["schemas"]["ComputedDifferently"][];
            figure: components["schemas"]["Figure"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "sides";
            question: components["schemas"]["SidesTold"];
            answer: components["schemas"]["Compared"];
        };
        /** Secret */
        Secret: {
            /** Id */
            id: string;
            /** Name */
            name: string;
            /** Quota */
            quota: number | null;
            /** Used */
            used: number;
            /** Created At */
            created_at: string;
            /** Expires At */
            expires_at: string | null;
            /** Revoked At */
            revoked_at: string | null;
        };
        /** Secrets */
        Secrets: {
            /** Items */
            items: components["schemas"]["Secret"][];
        };
        /**
         * SeenFleet
         * @description `role` is what whoever asks is in it; null for its uploader.
         */
        SeenFleet: {
            /** Id */
            id: string;
            /** Name */
            name: string;
            /** Visibility */
            visibility: string;
            /** Role */
            role: ("viewer" | "admin") | null;
        };
        /**
         * Series
         * @description Figures that differ along the axis only. Never one line across methods.
         *
         *     Each of its `stretches` is joined, and nothing from one to the next. Published figures are
         *     points and never joined.
         */
        Series: {
            /** Label */
            label: string;
            /**
             * Mark
             * @enum {string}
             */
            mark: "square" | "circle" | "triangle" | "diamond";
            /** Stretches */
            stretches: components["schemas"]["LinePoint"][][];
            /**
             * Colour
             * @default ink-2
             */
            colour?: string;
            /**
             * Dash
             * @default
             */
            dash?: string;
            /**
             * Dagger
             * @default
             */
            dagger?: string;
            /**
             * Weight
             * @default
             */
            weight?: string;
            /**
             * Hollow
             * @default false
             */
            hollow?: boolean;
            curve?: components["schemas"]["FittedCurve"] | null;
        };
        /** SessionTold */
        SessionTold: {
            person: components["schemas"]["PersonTold"] | null;
            /** Fleets */
            fleets: components["schemas"]["OwnFleet"][];
            ways: components["schemas"]["Ways"];
            /** Mail */
            mail: boolean;
        };
        /**
         * Settled
         * @description One Mac that lost its token, or several Macs that share an id.
         */
        Settled: {
            /**
             * Are
             * @enum {string}
             */
            are: "one" | "several";
        };
        /**
         * Severity
         * @enum {string}
         */
        Severity: "doubt" | "caution";
        /** Share */
        Share: {
            /** Value */
            value: string | null;
            /** Machines */
            machines: number;
        };
        /**
         * ShiftWords
         * @description A shift as it is printed: "−12.2 %", "−12.6 to −11.8 %", "macOS 26.4".
         */
        ShiftWords: {
            /** Cohort */
            cohort: string;
            /** Change */
            change: string;
            /** Interval */
            interval: string;
            /** After */
            after: string;
        };
        /**
         * SideMean
         * @description With its 95% interval where every ratio in it has one.
         */
        SideMean: {
            /** Ci Low */
            ci_low?: number;
            /** Ci High */
            ci_high?: number;
            /** Interval */
            interval?: string;
            /** Side */
            side: number;
            /** Value */
            value: number;
        };
        /**
         * SideRatio
         * @description To the baseline. `shared_runs` are on both sides. Of version 1 `unlike` marks whatever is
         *     stated in other values, of version 2 what could not be held equal.
         */
        SideRatio: {
            /** Ci Low */
            ci_low?: number;
            /** Ci High */
            ci_high?: number;
            /** Interval */
            interval?: string;
            /** Value */
            value: number;
            /**
             * Pairing
             * @enum {string}
             */
            pairing: "paired" | "unpaired";
            /** Pairs */
            pairs?: number;
            verdict: components["schemas"]["Verdict"];
            likeness?: components["schemas"]["Likeness"];
            crude?: components["schemas"]["Crude"];
            /** Unlike */
            unlike: components["schemas"]["Unlike"][];
            /** Shared Runs */
            shared_runs: number;
        };
        /** SideTold */
        SideTold: {
            /** Number */
            number: number;
            /** Label */
            label: string;
            /** Where */
            where: components["schemas"]["TermTold"][];
        };
        /** SidesTold */
        SidesTold: {
            /** Canonical */
            canonical: string;
            /** Metrics */
            metrics: components["schemas"]["ComparedMetric"][];
            /** Sides */
            sides: components["schemas"]["SideTold"][];
            /** Where */
            where: components["schemas"]["TermTold"][];
            /** Baseline */
            baseline: number;
            /**
             * Weight
             * @enum {string}
             */
            weight: "machine" | "run";
            /**
             * Flagged
             * @enum {string}
             */
            flagged: "exclude" | "include";
            /** Version */
            version: number;
        };
        /** Source */
        Source: {
            /** Article */
            article: string;
            /** Title */
            title: string;
            /** Author */
            author: string | null;
            /** Publisher */
            publisher: string;
            /** Published */
            published: string | null;
            /** Dated */
            dated: string;
            /** Note */
            note: string | null;
            /** Figures */
            figures: components["schemas"]["SourceFigure"][];
            /** Cautions */
            cautions: string[];
        };
        /**
         * SourceFigure
         * @description A printed figure and how it is used; `run` if it is stored, otherwise usually a reason.
         */
        SourceFigure: {
            /** Row */
            row: string;
            /** What */
            what: string;
            /** Printed */
            printed: string;
            /** Qualifier */
            qualifier: string | null;
            /** Disposition */
            disposition: string;
            /** Metric */
            metric: string | null;
            /** Run */
            run: string | null;
            /** Flags */
            flags: string[];
            /** Reason */
            reason: string | null;
            /** See */
            see: string[];
        };
        /** Sources */
        Sources: {
            /** Dispositions */
            dispositions: components["schemas"]["DispositionTold"][];
            /** Articles */
            articles: components["schemas"]["Source"][];
        };
        /**
         * Spread
         * @description Spread of samples within a run: the means of the runs' percentiles, and their pooled
         *     deviation. Where each run has one sample: spread of the machines' values.
         *
         *     `samples` are those of all runs. `sd` is absent in answers saved before it was added.
         */
        Spread: {
            /** P10 */
            p10: number;
            /** P90 */
            p90: number;
            /** Sd */
            sd?: number;
            /** Samples */
            samples: number;
        };
        /** StartingPoint */
        StartingPoint: {
            /** Canonical */
            canonical: string;
            /** Fixed */
            fixed: components["schemas"]["Fixed"][];
        };
        /**
         * Stayed
         * @description Machines of the cohort that kept their macOS over the same days.
         */
        Stayed: {
            /** Ratio */
            ratio: number;
            /** Machines */
            machines: number;
        };
        /**
         * Step
         * @description How far a line moves from this run on: at each update of macOS, and wherever it stands out.
         *
         *     `before` and `after` are medians of days, `runs_before` to `days_after` what they rest on.
         *     `stands_out`: it is further than the days around it vary. That isn't a test: `certainty` says
         *     whether one found a change here, found none, or has too few days on a side to find any.
         */
        Step: {
            /** Run Id */
            run_id: string;
            /** At */
            at: string;
            /** Os Before */
            os_before: string | null;
            /** Os After */
            os_after: string | null;
            /** Before */
            before: number;
            /** After */
            after: number;
            /** Ratio */
            ratio: number;
            /** Runs Before */
            runs_before: number;
            /** Runs After */
            runs_after: number;
            /** Days Before */
            days_before: number;
            /** Days After */
            days_after: number;
            /** Stands Out */
            stands_out: boolean;
            /**
             * Certainty
             * @enum {string}
             */
            certainty: "found" | "not_found" | "too_few";
        };
        /**
         * StoredRun
         * @description `newer_agent` is the newest agent's version, where an older one made the run.
         */
        StoredRun: {
            /** Id */
            id: string;
            /** Created */
            created: boolean;
            /** Url */
            url: string;
            /** Renew Token */
            renew_token?: boolean;
            /** Newer Agent */
            newer_agent?: string;
        };
        /** SuiteTold */
        SuiteTold: {
            /** Page */
            page: ("/storage" | "/threads" | "/cores" | "/power" | "/workloads") | null;
            /** Title */
            title: string;
            /** Runs */
            runs: number;
        };
        /** Sweep */
        Sweep: {
            /** Id */
            id: string;
            /**
             * Keep
             * @enum {string}
             */
            keep: "nothing" | "medians";
            /** Runs */
            runs: number;
            /** At */
            at: string;
            /** Ends At */
            ends_at: string;
            /**
             * State
             * @enum {string}
             */
            state: "undoable" | "undone" | "done";
        };
        /**
         * Target
         * @description A point of two figures: a task's rate at its storage's speed; `lane` shows the rate.
         */
        Target: {
            /** Label */
            label: string;
            /** Lane */
            lane: string;
            /** X */
            x: number;
            /** Y */
            y: number;
            /** Text */
            text: string;
            /**
             * Colour
             * @default ink-2
             */
            colour?: string;
            /**
             * Mark
             * @default square
             * @enum {string}
             */
            mark?: "square" | "circle" | "triangle" | "diamond";
            /**
             * Dagger
             * @default
             */
            dagger?: string;
            /**
             * Hollow
             * @default false
             */
            hollow?: boolean;
            /**
             * Doubted
             * @default false
             */
            doubted?: boolean;
        };
        /**
         * TermTold
         * @description A filter taken apart: a value, or the ends of a range.
         */
        TermTold: {
            /** Dimension */
            dimension: string;
            op: components["schemas"]["Op"];
            /** Value */
            value?: string | number | boolean | null;
            /** Low */
            low?: number | null;
            /** High */
            high?: number | null;
        };
        /** Tested */
        Tested: {
            /** Arrived */
            arrived: boolean;
            /** Problem */
            problem: string | null;
        };
        /**
         * Thing
         * @description `slug` is its address below /chips or /models; `where` are the filters for its runs.
         *
         *     `identifiers` are Apple's of a model: Mac16,11.
         */
        Thing: {
            /** Slug */
            slug: string;
            /** Name */
            name: string;
            /** Where */
            where: string[];
            /** Runs */
            runs: number;
            /** Machines */
            machines: number;
            /** Identifiers */
            identifiers?: string[];
        };
        /**
         * ThingTold
         * @description `related`: a chip's models, a model's other chips, and a Mac's model; `suites` by runs.
         */
        ThingTold: {
            /**
             * Kind
             * @enum {string}
             */
            kind: "chips" | "models" | "machines";
            thing: components["schemas"]["Thing"];
            /** Headlines */
            headlines: components["schemas"]["HeadlineTold"][];
            /** Related */
            related: components["schemas"]["Thing"][];
            /** Suites */
            suites: components["schemas"]["SuiteTold"][];
        };
        /** Things */
        Things: {
            /** Items */
            items: components["schemas"]["Thing"][];
        };
        /** Tick */
        Tick: {
            /** At */
            at: number;
            /** Text */
            text: string;
        };
        /**
         * TierWords
         * @description A tier of the chip: `group` is its place in the answer's groups.
         */
        TierWords: {
            /** Group */
            group: number;
            /** Tier */
            tier: string;
            /** Colour */
            colour: string;
            /** Key */
            key: string;
            curve: components["schemas"]["FittedCurve"] | null;
            /** Fit */
            fit: string;
            /** Bins */
            bins: components["schemas"]["Bin"][];
        };
        /**
         * TimelineTold
         * @description With the words of each line, in the order of the lines.
         */
        TimelineTold: {
            /** Machine Id */
            machine_id: string;
            /** Lines */
            lines: components["schemas"]["Line"][];
            /** More */
            more: number;
            /** Words */
            words: components["schemas"]["LineWords"][];
        };
        /** TokenNew */
        TokenNew: {
            /** Name */
            name: string;
            /**
             * Permission
             * @enum {string}
             */
            permission: "read" | "manage";
            /** Fleet */
            fleet?: string | null;
            /** Expires At */
            expires_at?: string | null;
        };
        /** TokenSelf */
        TokenSelf: {
            /**
             * Scope
             * @enum {string}
             */
            scope: "device" | "fleet";
            /**
             * Visibility
             * @enum {string}
             */
            visibility: "private" | "members" | "public";
            /** Fleet */
            fleet: string | null;
            /** Machine Id */
            machine_id: string | null;
            licence: components["schemas"]["Licence"];
        };
        /**
         * ToldAnswer
         * @description With the figure that describes it, as pages and pictures draw it.
         */
        ToldAnswer: {
            question: components["schemas"]["QuestionTold"];
            /** As Of */
            as_of: string;
            /** Derivation Version */
            derivation_version: number;
            /** Runs */
            runs?: number;
            /** Results */
            results: components["schemas"]["MetricAnswer"][];
            /** Updates */
            updates?: components["schemas"]["NewerMacos"][];
            figure: components["schemas"]["Figure"];
        };
        /**
         * ToldSides
         * @description With the figure that describes them, as pages and pictures draw it.
         */
        ToldSides: {
            comparison: components["schemas"]["SidesTold"];
            /** As Of */
            as_of: string;
            /** Derivation Version */
            derivation_version: number;
            /** Runs */
            runs?: number;
            /** Rows */
            rows: components["schemas"]["Row"][];
            geometric_mean: components["schemas"]["GeometricMean"];
            /** Notes */
            notes: components["schemas"]["Note"][];
            figure: components["schemas"]["Figure"];
        };
        /**
         * Trait
         * @description What a dimension is to those who treat some dimensions alike.
         * @enum {string}
         */
        Trait: "configuration" | "watched" | "optional" | "absence_counts" | "images_apart" | "axis" | "cases" | "point" | "tells_views" | "like" | "may_be_like" | "groups_first" | "filters_first" | "repeated" | "tells_runs" | "searched";
        /**
         * Unlike
         * @description A dimension in which two groups or sides differ unasked, and the values of both; null: not
         *     stated.
         */
        Unlike: {
            /** Dimension */
            dimension: string;
            /** Title */
            title: string;
            /** Of */
            of: (string | number | boolean | null)[];
            /** To */
            to: (string | number | boolean | null)[];
        };
        /**
         * UpdateChange
         * @description A `FoundChange`, in words as well.
         */
        UpdateChange: {
            /** Metric */
            metric: string;
            /** Title */
            title: string;
            better: components["schemas"]["Better"];
            /** Cohort */
            cohort: {
                [key: string]: string | number | boolean | null;
            };
            /** Where */
            where: string[];
            /** Ratio */
            ratio: number;
            /** Machines */
            machines: number;
            /** Low */
            low: number | null;
            /** High */
            high: number | null;
            /** Matters */
            matters: boolean;
            /** Of */
            of: number;
            /** Moved */
            moved: number;
            /** Version */
            version: string | null;
            /** At */
            at: string;
            /** Told */
            told: boolean;
            words: components["schemas"]["ShiftWords"];
        };
        /**
         * ValueTold
         * @description A value with its words; `place` counts from 0 in the order in which values are read.
         */
        ValueTold: {
            /** Value */
            value: string | number | boolean | null;
            /** Runs */
            runs: number;
            /** Machines */
            machines: number;
            /** Text */
            text: string;
            /** Place */
            place: number;
        };
        /**
         * Verdict
         * @description `smallest_visible`: the margin of error, as a ratio over 1. A true difference of that size is
         *     found in about half of the cases, a smaller one less often. Absent where all values are the
         *     same, which says nothing of what could be found.
         */
        Verdict: {
            answer: components["schemas"]["Outcome"];
            /** Smallest Visible */
            smallest_visible?: number;
        };
        /**
         * Waiting
         * @description A run to be judged: why the server put it aside, and what readers hold against it.
         */
        Waiting: {
            run: components["schemas"]["RunSummary"];
            /** Quarantined */
            quarantined: string | null;
            /** Doubts */
            doubts: components["schemas"]["Doubt"][];
        };
        /**
         * Ways
         * @description How one signs in at this address.
         */
        Ways: {
            /** Passkey */
            passkey: boolean;
            /** Password */
            password: boolean;
            /** Oidc */
            oidc: string | null;
        };
        /**
         * Webhook
         * @description `problem` is why the last delivery did not arrive.
         */
        Webhook: {
            /** Id */
            id: string;
            /** Url */
            url: string;
            /** Created At */
            created_at: string;
            /** Last Sent At */
            last_sent_at: string | null;
            /** Problem */
            problem: string | null;
        };
        /** WebhookAsked */
        WebhookAsked: {
            /**
             * Url
             * @description https://HOST/PATH
             */
            url: string;
        };
        /** Webhooks */
        Webhooks: {
            /** Items */
            items: components["schemas"]["Webhook"][];
        };
        /**
         * Withdrawn
         * @description Since `at` no answer counts the run, for that reason.
         */
        Withdrawn: {
            /** At */
            at: string;
            /**
             * By
             * @enum {string}
             */
            by: "owner" | "server" | "quarantine" | "retention";
            /** Reason */
            reason: string;
        };
        /**
         * WithdrawnRun
         * @description One of a comparison's runs that was withdrawn after it was saved.
         */
        WithdrawnRun: {
            /** At */
            at: string;
            /**
             * By
             * @enum {string}
             */
            by: "owner" | "server" | "quarantine" | "retention";
            /** Reason */
            reason: string;
            /** Run Id */
            run_id: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    healthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_events: {
        parameters: {
            query?: {
                /** @description 1 to 4 metrics of the catalogue */
                metric?: string[] | null;
                /** @description NAME:VALUE, NAME!:VALUE or NAME:LOW..HIGH */
                where?: string[] | null;
                /** @description exclude (default) or include */
                flagged?: string | null;
                /** @description NUMBER:NAME:VALUE, a filter of side 1 to 8; or NUMBER: */
                side?: string[] | null;
                /** @description from then on; default now */
                since?: string | null;
                /** @description end after so many runs */
                limit?: number | null;
            };
            header?: {
                /** @description go on after this event */
                "last-event-id"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDetail"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Gone */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    put_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredRun"];
                };
            };
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredRun"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_batch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_doubts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoubtsTold"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_doubt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Reason"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoubtTaken"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    put_withdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Reason"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_withdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_doubt_self: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoubtState"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_review: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Review"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    put_judgement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Judged"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_answer: {
        parameters: {
            query?: {
                /** @description 1 to 4 metrics of the catalogue */
                metric?: string[] | null;
                /** @description NAME:VALUE, NAME!:VALUE or NAME:LOW..HIGH */
                where?: string[] | null;
                /** @description exclude (default) or include */
                flagged?: string | null;
                /** @description machine (default) or run */
                weight?: string | null;
                /** @description 1 (default): crude ratios; 2: other differences held equal */
                version?: string | null;
                /** @description 0 to 3 dimensions */
                by?: string[] | null;
                /** @description NAME:VALUE of the reference */
                relative_to?: string[] | null;
                /** @description linear, power, quadratic or theil_sen */
                fit?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToldAnswer"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_answer_csv: {
        parameters: {
            query?: {
                /** @description 1 to 4 metrics of the catalogue */
                metric?: string[] | null;
                /** @description NAME:VALUE, NAME!:VALUE or NAME:LOW..HIGH */
                where?: string[] | null;
                /** @description exclude (default) or include */
                flagged?: string | null;
                /** @description machine (default) or run */
                weight?: string | null;
                /** @description 1 (default): crude ratios; 2: other differences held equal */
                version?: string | null;
                /** @description 0 to 3 dimensions */
                by?: string[] | null;
                /** @description NAME:VALUE of the reference */
                relative_to?: string[] | null;
                /** @description linear, power, quadratic or theil_sen */
                fit?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_starting_point: {
        parameters: {
            query?: {
                /** @description 1 to 4 metrics of the catalogue */
                metric?: string[] | null;
                /** @description NAME:VALUE, NAME!:VALUE or NAME:LOW..HIGH */
                where?: string[] | null;
                /** @description exclude (default) or include */
                flagged?: string | null;
                /** @description machine (default) or run */
                weight?: string | null;
                /** @description 1 (default): crude ratios; 2: other differences held equal */
                version?: string | null;
                /** @description 0 to 3 dimensions */
                by?: string[] | null;
                /** @description NAME:VALUE of the reference */
                relative_to?: string[] | null;
                /** @description linear, power, quadratic or theil_sen */
                fit?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartingPoint"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_facets: {
        parameters: {
            query?: {
                /** @description 1 to 4 metrics of the catalogue */
                metric?: string[] | null;
                /** @description NAME:VALUE, NAME!:VALUE or NAME:LOW..HIGH */
                where?: string[] | null;
                /** @description exclude (default) or include */
                flagged?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FacetsTold"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_filters: {
        parameters: {
            query?: {
                /** @description NAME:VALUE, NAME!:VALUE or NAME:LOW..HIGH */
                where?: string[] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FiltersTold"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_doubted: {
        parameters: {
            query?: {
                /** @description 1 to 4 metrics of the catalogue */
                metric?: string[] | null;
                /** @description NAME:VALUE, NAME!:VALUE or NAME:LOW..HIGH */
                where?: string[] | null;
                /** @description exclude (default) or include */
                flagged?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Runs"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_runs: {
        parameters: {
            query?: {
                /** @description NAME:VALUE, NAME!:VALUE or NAME:LOW..HIGH */
                where?: string[] | null;
                limit?: number;
                cursor?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Runs"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_document: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Gone */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_catalog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Catalog"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_residency: {
        parameters: {
            query?: {
                /** @description NAME:VALUE, NAME!:VALUE or NAME:LOW..HIGH */
                where?: string[] | null;
                /** @description exclude (default) or include */
                flagged?: string | null;
                /** @description linear or quadratic */
                fit?: string | null;
                /** @description LOW..HIGH: the residencies to take, in cores */
                active?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResidencyTold"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_chips: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chips"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_sources: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sources"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_compare: {
        parameters: {
            query?: {
                /** @description NUMBER:NAME:VALUE, a filter of side 1 to 8; or NUMBER: */
                side?: string[] | null;
                /** @description NUMBER:TEXT, what a side is called */
                label?: string[] | null;
                /** @description the number of a side; default 1 */
                baseline?: string | null;
                /** @description 1 to 16 of METRIC or METRIC@PARAMETER:VALUE */
                metric?: string[] | null;
                /** @description NAME:VALUE, NAME!:VALUE or NAME:LOW..HIGH */
                where?: string[] | null;
                /** @description exclude (default) or include */
                flagged?: string | null;
                /** @description machine (default) or run */
                weight?: string | null;
                /** @description 1 (default): crude ratios; 2: other differences held equal */
                version?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToldSides"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_compare_csv: {
        parameters: {
            query?: {
                /** @description NUMBER:NAME:VALUE, a filter of side 1 to 8; or NUMBER: */
                side?: string[] | null;
                /** @description NUMBER:TEXT, what a side is called */
                label?: string[] | null;
                /** @description the number of a side; default 1 */
                baseline?: string | null;
                /** @description 1 to 16 of METRIC or METRIC@PARAMETER:VALUE */
                metric?: string[] | null;
                /** @description NAME:VALUE, NAME!:VALUE or NAME:LOW..HIGH */
                where?: string[] | null;
                /** @description exclude (default) or include */
                flagged?: string | null;
                /** @description machine (default) or run */
                weight?: string | null;
                /** @description 1 (default): crude ratios; 2: other differences held equal */
                version?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_answer_feed: {
        parameters: {
            query?: {
                /** @description 1 to 4 metrics of the catalogue */
                metric?: string[] | null;
                /** @description NAME:VALUE, NAME!:VALUE or NAME:LOW..HIGH */
                where?: string[] | null;
                /** @description exclude (default) or include */
                flagged?: string | null;
                /** @description machine (default) or run */
                weight?: string | null;
                /** @description 1 (default): crude ratios; 2: other differences held equal */
                version?: string | null;
                /** @description 0 to 3 dimensions */
                by?: string[] | null;
                /** @description NAME:VALUE of the reference */
                relative_to?: string[] | null;
                /** @description linear, power, quadratic or theil_sen */
                fit?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_compare_feed: {
        parameters: {
            query?: {
                /** @description NUMBER:NAME:VALUE, a filter of side 1 to 8; or NUMBER: */
                side?: string[] | null;
                /** @description NUMBER:TEXT, what a side is called */
                label?: string[] | null;
                /** @description the number of a side; default 1 */
                baseline?: string | null;
                /** @description 1 to 16 of METRIC or METRIC@PARAMETER:VALUE */
                metric?: string[] | null;
                /** @description NAME:VALUE, NAME!:VALUE or NAME:LOW..HIGH */
                where?: string[] | null;
                /** @description exclude (default) or include */
                flagged?: string | null;
                /** @description machine (default) or run */
                weight?: string | null;
                /** @description 1 (default): crude ratios; 2: other differences held equal */
                version?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_chart_svg: {
        parameters: {
            query?: {
                /** @description light (default) or dark */
                theme?: "light" | "dark";
                /** @description pixels; the height follows. A PNG without it is 1200 by 630, for previews */
                width?: number | null;
                /** @description NUMBER:NAME:VALUE, a filter of side 1 to 8; or NUMBER: */
                side?: string[] | null;
                /** @description NUMBER:TEXT, what a side is called */
                label?: string[] | null;
                /** @description the number of a side; default 1 */
                baseline?: string | null;
                /** @description 1 to 4 metrics of the catalogue */
                metric?: string[] | null;
                /** @description NAME:VALUE, NAME!:VALUE or NAME:LOW..HIGH */
                where?: string[] | null;
                /** @description exclude (default) or include */
                flagged?: string | null;
                /** @description machine (default) or run */
                weight?: string | null;
                /** @description 1 (default): crude ratios; 2: other differences held equal */
                version?: string | null;
                /** @description 0 to 3 dimensions */
                by?: string[] | null;
                /** @description NAME:VALUE of the reference */
                relative_to?: string[] | null;
                /** @description linear, power, quadratic or theil_sen */
                fit?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            /** @description The picture is the one of If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_chart_png: {
        parameters: {
            query?: {
                /** @description light (default) or dark */
                theme?: "light" | "dark";
                /** @description pixels; the height follows. A PNG without it is 1200 by 630, for previews */
                width?: number | null;
                /** @description NUMBER:NAME:VALUE, a filter of side 1 to 8; or NUMBER: */
                side?: string[] | null;
                /** @description NUMBER:TEXT, what a side is called */
                label?: string[] | null;
                /** @description the number of a side; default 1 */
                baseline?: string | null;
                /** @description 1 to 4 metrics of the catalogue */
                metric?: string[] | null;
                /** @description NAME:VALUE, NAME!:VALUE or NAME:LOW..HIGH */
                where?: string[] | null;
                /** @description exclude (default) or include */
                flagged?: string | null;
                /** @description machine (default) or run */
                weight?: string | null;
                /** @description 1 (default): crude ratios; 2: other differences held equal */
                version?: string | null;
                /** @description 0 to 3 dimensions */
                by?: string[] | null;
                /** @description NAME:VALUE of the reference */
                relative_to?: string[] | null;
                /** @description linear, power, quadratic or theil_sen */
                fit?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            /** @description The picture is the one of If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_comparison_svg: {
        parameters: {
            query?: {
                /** @description light (default) or dark */
                theme?: "light" | "dark";
                /** @description pixels; the height follows. A PNG without it is 1200 by 630, for previews */
                width?: number | null;
            };
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            /** @description The picture is the one of If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The comparison isn't open to readers: a picture that says so. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_comparison_png: {
        parameters: {
            query?: {
                /** @description light (default) or dark */
                theme?: "light" | "dark";
                /** @description pixels; the height follows. A PNG without it is 1200 by 630, for previews */
                width?: number | null;
            };
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            /** @description The picture is the one of If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The comparison isn't open to readers: a picture that says so. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_comparisons: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnComparisons"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_comparison: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewComparison"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewAnswer"] | components["schemas"]["NewSides"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    put_comparison_owner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Adoption"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_comparison: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedAnswer"] | components["schemas"]["SavedSides"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Gone */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_comparison: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Gone */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patch_comparison: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ComparisonChange"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedAnswer"] | components["schemas"]["SavedSides"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Gone */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_comparison_csv: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Gone */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_changes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changes"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Gone */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_oembed: {
        parameters: {
            query: {
                /** @description a comparison's address */
                url: string;
                maxwidth?: number | null;
                maxheight?: number | null;
                format?: "json" | "xml";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OEmbed"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Gone */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Implemented */
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_citation: {
        parameters: {
            query?: {
                format?: "markdown" | "bibtex";
            };
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown": string;
                    "application/x-bibtex": string;
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Gone */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_corpus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Corpus"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_corpus_csv: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_corpus_parquet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_fleet_results: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_machines: {
        parameters: {
            query?: {
                /** @description NAME:VALUE, NAME!:VALUE or NAME:LOW..HIGH */
                where?: string[] | null;
                limit?: number;
                cursor?: string | null;
                /** @description words in chip, model or macOS version */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Machines"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_machine: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                machine_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MachineDetail"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_machine: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                machine_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forgotten"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patch_machine: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                machine_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MachineChanges"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_timeline: {
        parameters: {
            query?: {
                /** @description 1 to 4 metrics of the catalogue */
                metric?: string[] | null;
                /** @description NAME:VALUE, NAME!:VALUE or NAME:LOW..HIGH */
                where?: string[] | null;
                /** @description exclude (default) or include */
                flagged?: string | null;
            };
            header?: never;
            path: {
                machine_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimelineTold"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_percentile: {
        parameters: {
            query?: {
                /** @description 1 to 4 metrics of the catalogue */
                metric?: string[] | null;
                /** @description NAME:VALUE, NAME!:VALUE or NAME:LOW..HIGH */
                where?: string[] | null;
                /** @description exclude (default) or include */
                flagged?: string | null;
                /** @description the run to place */
                run?: string | null;
                /** @description or the machine */
                machine?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Percentile"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_things: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: "chips" | "models";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Things"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_thing: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: "chips" | "models" | "machines";
                /** @description m4-pro, mac-mini-m4-pro, or a Mac's id */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThingTold"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_machine_secret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                machine_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MachineSecret"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    put_merge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                machine_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Merge"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Given"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_merge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                machine_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Given"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    export_machine: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                machine_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": unknown;
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ask_for_claim: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                machine_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimLink"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    let_machine_go: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                machine_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_own_machines: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnMachines"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_alerts: {
        parameters: {
            query?: {
                /** @description of this fleet, by id or name */
                fleet?: string | null;
                state?: ("open" | "acknowledged" | "over" | "passed") | null;
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alerts"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_alerts_feed: {
        parameters: {
            query?: {
                /** @description of this fleet, by id or name */
                fleet?: string | null;
                state?: ("open" | "acknowledged" | "over" | "passed") | null;
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_alert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                alert_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    put_acknowledgement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                alert_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_acknowledgement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                alert_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_comment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                alert_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Comment-Input"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_webhooks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhooks"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookAsked"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_webhook_test: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tested"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_alert_mail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertMail"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    put_alert_mail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MailAsked"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotate_token_self: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FreshToken"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_token_self: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenSelf"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_tokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonTokens"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    make_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenNew"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonTokenMade"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revoke_token: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_enroll: {
        parameters: {
            query?: never;
            header?: {
                /** @description what the agent makes from its key for this server, kept as a hash */
                "Macmeter-Proof"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Enrol"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Enrolment"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_secrets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Secrets"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_secret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AskedSecret"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewSecret"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_secret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
                secret_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_devices: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                fleet: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Devices"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_uploader: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AskedUploader"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewUploader"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_rotation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_device: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_clones: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Clones"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_merges: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Merges"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    put_clone: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
                machine_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Settled"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionTold"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sign_out: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sign_in_by_password: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordSignIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionTold"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ask_for_passkey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sign_in_by_passkey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyAnswer"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionTold"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Browsers"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sign_out_elsewhere: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ended"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    end_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    begin_oidc: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OidcBegin"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OidcAddress"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Gone */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    return_from_oidc: {
        parameters: {
            query?: {
                state?: string;
                code?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_account: {
        parameters: {
            query?: {
                /** @description also one's links, and one's name in the log */
                erase?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    change_account: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountChanges"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionTold"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    export_account: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Personal"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_password: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPasswordSet"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    remove_password: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_passkeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkeys"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    add_passkey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyNew"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkeys"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ask_for_new_passkey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    remove_passkey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                passkey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rename_passkey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                passkey_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Renamed"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_invitations: {
        parameters: {
            query?: {
                fleet?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitations"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    invite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationNew"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationMade"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revoke_invitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                link_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    open_link: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkSecret"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkTold"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Gone */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ask_for_first_passkey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyForLink"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Gone */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    accept: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Accepted"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionTold"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Gone */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_fleets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Fleets"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_fleet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewFleet"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FleetTold"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_fleet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FleetTold"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_fleet: {
        parameters: {
            query: {
                /** @description the fleet's name, to confirm */
                name: string;
                runs: "delete" | "publish" | "move";
                /** @description the fleet that runs and machines move to */
                to?: string | null;
                /** @description to the licence, for publish */
                consent?: boolean;
            };
            header?: never;
            path: {
                fleet: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patch_fleet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FleetChanges"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_members: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Members"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    put_role: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
                person_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoleInFleet"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
                person_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_fleet_links: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FleetLinks"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_link_ids: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
                link_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_fleet_dashboard: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dashboard"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_fleet_machines: {
        parameters: {
            query?: {
                sort?: "last_upload" | "chip" | "model" | "os_version" | "agent_version" | "encryption" | "storage" | "runs";
                descending?: boolean;
                /** @description those with this problem */
                only?: ("silent" | "old_agent" | "no_filevault") | null;
                /** @description words in name, model, chip, macOS or id */
                q?: string;
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                fleet: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FleetMachines"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    put_fleet_policy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Policy"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_retention: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Retention"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    put_retention: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmedPolicy"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_retention: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_retention_preview: {
        parameters: {
            query?: {
                /** @description how old a run may get */
                days?: number;
                /** @description medians: answers stay as they are, samples and traces go */
                keep?: "nothing" | "medians";
                /** @description keep runs that a link's figures use */
                keep_linked?: boolean;
            };
            header?: never;
            path: {
                fleet: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetentionEffect"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_sweep: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fleet: string;
                sweep_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_people: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["People"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_person: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                person_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patch_person: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                person_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PersonChanges"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_failures: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failures"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_audit: {
        parameters: {
            query?: {
                /** @description its id or name; without it, the whole server */
                fleet?: string | null;
                /** @description acts before this one */
                before?: number | null;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Acts"];
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_audit_csv: {
        parameters: {
            query?: {
                /** @description its id or name; without it, the whole server */
                fleet?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_audit_ndjson: {
        parameters: {
            query?: {
                /** @description its id or name; without it, the whole server */
                fleet?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            /** @description Unchanged since If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
