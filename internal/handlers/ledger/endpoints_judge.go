package ledger

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/domain/judge"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/openapi"
)

// judgeEndpoints are the endpoints of the judge: a new run, earlier runs, what judges and people say side by side.
func (s *server) judgeEndpoints() []web.Endpoint {
	return []web.Endpoint{
		{
			Method: http.MethodPost, Path: "/sessions/:id/judge", Work: limits.JudgeWork, Action: access.ImportLedger, Object: "session",
			Handle: web.SmallForm(s.judgeSession),
		},
		{
			Method: http.MethodGet, Path: "/sessions/:id/judge", Work: limits.JudgeWork, Action: access.ImportLedger, Object: "session",
			Handle: s.chooseJudge,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/sessions/:id/judge", Work: limits.JudgeWork, Action: access.ImportLedger,
			Object: "session", IfMatch: web.RequiredMatch("ledger"),
			Doc: &apidoc.Doc{
				ID: "judgeSession", Tag: "sessions", Summary: "Judge a session again",
				Description: "Judges its claims with its stored chunks, without withdrawn documents; with bundle_id from " +
					"the items of that bundle and nothing else. judge is embedded, the default, lexical, the same without " +
					"its reader, or the id or name of an endpoint that an administrator made. With scope rest, the default, the endpoint " +
					"is asked about the claims of which the embedded judge is not sure, with all about every claim. " +
					"Earlier runs stay readable. Reviews are kept; those of claims whose verdict or evidence changed " +
					"become stale.",
				Reads: judgeInput{}, BodyOptional: true, Conflicts: true,
				Answers: []apidoc.Answer{
					{
						Status: "200", Description: "The run, with what it changed in figures.", Body: apiJudged{},
						Headers: []string{"ETag"},
					},
					{
						Status: "202", Description: "An endpoint, 20 claims or more that the embedded judge reads, more than 1,000 claims or 5 MiB: a job that judges it.",
						Body: web.Job{}, Headers: []string{"Location"},
					},
				},
			},
			Idempotent: s.apiJudge,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/sessions/:id/judge/estimate", Work: limits.JudgeWork, Action: access.ImportLedger,
			Object: "session",
			Doc: &apidoc.Doc{
				ID: "estimateJudge", Tag: "sessions", Summary: "Estimate what a run by an endpoint asks and costs",
				Description: "How many claims judgeSession would put to the endpoint, why, and what that is expected to take. " +
					"Nothing is sent. Answers that are known already are counted, though they cost nothing.",
				Query: []*openapi.Parameter{
					apidoc.TextOf("judge", "The id or name of an endpoint."),
					apidoc.ChoiceOf("scope", "Which claims it is asked about; by default rest.", judge.Rest, judge.Every),
				},
				Answers: []apidoc.Answer{{Status: "200", Description: "The estimate.", Body: apiJudgeEstimate{}}},
			},
			Handle: s.apiEstimateJudge,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/sessions/:id/runs", Action: access.ReadLedger, Object: "session",
			Doc: &apidoc.Doc{
				ID: "listRuns", Tag: "sessions", Summary: "List the judge runs of a session",
				Description: "The newest first.", Query: apidoc.ListQuery(),
				Answers: []apidoc.Answer{apidoc.PageOf("runs", apiRunRow{})},
			},
			Handle: s.apiListRuns,
		},
		{
			Method: http.MethodGet, Path: "/sessions/:id/runs/:n", Action: access.ReadLedger, Object: "session",
			Handle: s.showRun,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/sessions/:id/runs/:n/claims", Action: access.ReadLedger,
			Object: "session",
			Doc: &apidoc.Doc{
				ID: "showRun", Tag: "sessions", Summary: "Read the judgement of a run",
				Description: "Also of an earlier run; in the order of the claims.", Query: apidoc.ListQuery(),
				Path: runPaths, Answers: []apidoc.Answer{apidoc.PageOf("claims", apiRunClaim{})},
			},
			Handle: s.apiShowRun,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/sessions/:id/runs/:n/changes", Action: access.ReadLedger,
			Object: "session",
			Doc: &apidoc.Doc{
				ID: "showRunChanges", Tag: "sessions", Summary: "See what a run changed",
				Description: "Compared with the run before it, in the order of the claims; empty for the first run.",
				Query:       apidoc.ListQuery(), Path: runPaths, Answers: []apidoc.Answer{apidoc.PageOf("changes", apiChange{})},
			},
			Handle: s.apiShowRunChanges,
		},
		{
			Method: http.MethodGet, Path: "/sessions/:id/opinions", Action: access.ReadLedger, Object: "session",
			Handle: s.showOpinions,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/sessions/:id/opinions", Action: access.ReadLedger, Object: "session",
			Doc: &apidoc.Doc{
				ID: "listOpinions", Tag: "sessions", Summary: "Set the verdicts of several judges side by side",
				Description: "Each claim with the newest verdict of every judge that has judged it, and that of people " +
					"where it is settled. A judge that asks a model is one for each model. Of the runs, the newest ones " +
					"are read (runs_read of showAgreement), of the claims the first 10,000.",
				Query:   apidoc.ListQuery(apidoc.FlagOf("differ", "Only claims of which two have different verdicts.")),
				Answers: []apidoc.Answer{apidoc.PageOf("claims", apiOpinions{})},
			},
			Handle: s.apiListOpinions,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/sessions/:id/agreement", Action: access.ReadLedger, Object: "session",
			Doc: &apidoc.Doc{
				ID: "showAgreement", Tag: "sessions", Summary: "See how far judges and people agree on a session",
				Description: "Each pair over the claims that both have judged: how many have the same verdict, with the " +
					"95 % score interval (Wilson) of that share, Cohen's kappa from 30 claims on, and which verdict stands " +
					"against which; the same for each type of claim and each language.",
				Answers: []apidoc.Answer{{Status: "200", Description: "The figures.", Body: apiAgreements{}}},
			},
			Handle: s.apiShowAgreement,
		},
	}
}

var runPaths = map[string]*openapi.Schema{"n": openapi.Between(1, 1<<30, "The run's number, from 1.")}
