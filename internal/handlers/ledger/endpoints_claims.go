package ledger

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/openapi"
)

// claimEndpoints are the endpoints of claims: the page of a claim, its reviews and passages, several claims at once.
func (s *server) claimEndpoints() []web.Endpoint {
	return []web.Endpoint{
		{
			Method: http.MethodGet, Path: "/sessions/:id/claims/:n", Action: access.ReadLedger, Object: "session",
			Handle: s.showClaim,
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/claims/:n/reviews", Action: access.ReviewClaim,
			Object: "session", Handle: web.Form(web.MaxForm, s.createReview),
		},
		{
			Method: http.MethodPost, Path: "/api/v1/sessions/:id/claims/:n/reviews", Action: access.ReviewClaim,
			Object: "session", IfMatch: web.RequiredMatch("ledger"),
			Doc: &apidoc.Doc{
				ID: "reviewClaim", Tag: "sessions", Summary: "Review a claim",
				Path: map[string]*openapi.Schema{"n": openapi.Between(1, 1<<30, "The claim's number, from 1.")},
				Description: "undo takes back the caller's newest review of the claim or, with review_id, that comment of " +
					"theirs. A reason or comment addresses people of the tenant by @ and their whole name or login name; " +
					"they are notified, of a sealed one once the seal falls. A comment has at most 4,000 characters. " +
					"One that asks for an answer, and one that somebody replied to, is an open thread until it is resolved. " +
					"comment with review_id replies to that comment, resolve and reopen with review_id are about its thread; " +
					"its people are notified. A thread has at most 100 replies. " +
					"not_a_claim says, with a reason, that the text is no claim: no figure counts it any more. It is refused " +
					"where two people review blind, and while the session is closed.",
				Reads: apiReviewInput{}, Conflicts: true,
				Example: map[string]any{
					"action": "override", "verdict": "supported", "reason": "The department head has agreed.",
				},
				Answers: []apidoc.Answer{{
					Status: "201", Description: "The review, and the entry as it is now.", Body: apidoc.ReviewAnswer,
					Headers: []string{"ETag"},
				}},
			},
			Idempotent: web.WithBody(s.apiCreateReview),
		},
		{
			Method: http.MethodGet, Path: "/sessions/:id/claims/:n/passages", Action: access.ReviewClaim,
			Object: "session", Handle: s.showPassages,
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/claims/:n/passages", Action: access.ReviewClaim,
			Object: "session", Handle: web.SmallForm(s.attachPassage),
		},
		{
			Method: http.MethodPost, Path: "/api/v1/sessions/:id/claims/:n/passages", Action: access.ReviewClaim,
			Object: "session", IfMatch: web.RequiredMatch("ledger"),
			Doc: &apidoc.Doc{
				ID: "attachPassage", Tag: "sessions", Summary: "Attach a passage to a claim as evidence",
				Path: map[string]*openapi.Schema{"n": openapi.Between(1, 1<<30, "The claim's number, from 1.")},
				Description: "document_id is the id of the document in session.documents of the ledger. start and end " +
					"are code points in the document's text: the places that its chunks state, or, if they state " +
					"none, those in its chunks joined by line feeds. The passage lies within one chunk. It becomes a " +
					"match by the caller, with name and time, which the judge judges by that passage alone; the " +
					"verdict rules then apply as to any other match. Reviews of the claim become stale.",
				Reads: passageInput{}, Example: map[string]any{
					"document_id": "00000000-0000-0000-0000-000000000000", "start": 0, "end": 42,
				},
				Conflicts: true,
				Answers: []apidoc.Answer{{
					Status: "201", Description: "The match as it was judged, and the verdict before and after.",
					Body: apiPassageAttached{}, Headers: []string{"ETag"},
				}},
			},
			Idempotent: web.WithBody(s.apiAttach),
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/claims/:n/passages/undo", Action: access.ReviewClaim,
			Object: "session", Handle: web.SmallForm(s.detachPassage),
		},
		{
			Method: http.MethodGet, Path: "/sessions/:id/claims/:n/words", Action: access.ReviewClaim,
			Object: "session", Handle: s.showReword,
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/claims/:n/words", Action: access.ReviewClaim,
			Object: "session", Handle: web.Form(web.MaxForm, s.reword),
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/claims/:n/words/undo", Action: access.ReviewClaim,
			Object: "session", Handle: web.SmallForm(s.takeBackRewording),
		},
		{
			Method: http.MethodPost, Path: `/api/v1/sessions/:id/claims\:reword`, Action: access.ReviewClaim,
			Object: "session", IfMatch: web.RequiredMatch("ledger"),
			Doc: &apidoc.Doc{
				ID: "rewordClaims", Tag: "sessions", Summary: "Split, merge or rewrite claims",
				Description: "Puts claims in the place of others: one for one writes it anew, several for one split it, " +
					"one for several merges them; at most 20 of each. The old claims no longer count, and keep their " +
					"reviews; the new ones stand behind the last claim and begin unreviewed. They are judged as when " +
					"documents are added; where the caller gave the verdicts they stay unjudged. Refused where two " +
					"people review blind, and while the session is closed.",
				Reads: rewordInput{},
				Example: map[string]any{
					"claims": []int{1}, "texts": []string{"The programme began in 2024.", "It ends in 2027."},
					"reason": "Two claims in one sentence.",
				},
				Conflicts: true,
				Answers: []apidoc.Answer{
					{Status: "200", Description: "The claims that count now, and those that do not.", Body: apiReworded{},
						Headers: []string{"ETag"}},
					{
						Status: "202", Description: "More than 5 MiB of documents: a job that judges the new claims.",
						Body: web.Job{}, Headers: []string{"Location"},
					},
				},
			},
			Idempotent: web.WithBody(s.apiReword),
		},
		{
			Method: http.MethodPost, Path: "/api/v1/sessions/:id/claims/:n/take-back", Action: access.ReviewClaim,
			Object: "session", IfMatch: web.RequiredMatch("ledger"),
			Doc: &apidoc.Doc{
				ID: "takeBackRewording", Tag: "sessions", Summary: "Take back a split, merge or rewrite",
				Path: map[string]*openapi.Schema{"n": openapi.Between(1, 1<<30, "The number of one of the new claims, from 1.")},
				Description: "The old claims count again as they were, and the new ones do not. Only whoever replaced " +
					"them may, until one of the new claims is reviewed.",
				Reads: apidoc.NoFields, BodyOptional: true, Conflicts: true,
				Answers: []apidoc.Answer{{
					Status: "200", Description: "The claims that count now, and those that do not.", Body: apiReworded{},
					Headers: []string{"ETag"},
				}},
			},
			Idempotent: web.WithoutBody(s.apiTakeBack),
		},
		{
			Method: http.MethodGet, Path: "/sessions/:id/confirm", Action: access.ReviewClaim, Object: "session",
			Handle: s.showBulk,
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/confirm", Action: access.ReviewClaim, Object: "session",
			Handle: web.SmallForm(s.confirmBulk),
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/undo", Action: access.ReviewClaim, Object: "session",
			Handle: web.SmallForm(s.undoBulk),
		},
		{
			Method: http.MethodPost, Path: `/api/v1/sessions/:id/reviews\:bulk`, Action: access.ReviewClaim,
			Object: "session", IfMatch: web.RequiredMatch("ledger"),
			Doc: &apidoc.Doc{
				ID: "reviewClaims", Tag: "sessions", Summary: "Confirm several claims, or undo that",
				Description: "confirm confirms the claims that match the whole filter, are among claims if that is " +
					"given, and wait for the caller: one review per claim, all or none, at most 5,000. Critical and " +
					"flagged claims are left out unless the tenant's policy lets bulk steps take them. With dry_run " +
					"it answers what would be done and changes nothing. undo takes back what is left of such a " +
					"step, named by its batch_id; filter and claims are then ignored.",
				Reads: apiBulkInput{},
				Example: map[string]any{
					"action": "confirm", "filter": map[string]any{"verdict": "supported", "unsettled": true},
					"claims": []int{1, 2},
				},
				Answers: []apidoc.Answer{{
					Status: "200", Description: "The claims, and those that were left out.", Body: apiBulkAnswer{},
					Headers: []string{"ETag"},
				}},
			},
			Idempotent: web.WithBody(s.apiBulkReview),
		},
	}
}
