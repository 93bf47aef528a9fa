package handlers

// reviewOperations are those of a session's review as a whole.
var reviewOperations = map[string]*operation{
	"GET /api/v1/sessions/:id": {
		id: "showSession", tag: "sessions", summary: "See how far a review has come",
		sends: []answers{{
			status: "200", words: "Its state, progress, reviewers and how far they agree.",
			sent: apiSessionReview{},
		}},
	},
	`POST /api/v1/sessions/:id/reviews\:bulk`: {
		id: "reviewClaims", tag: "sessions", summary: "Confirm several claims, or take that back", keyed: true, ifMatch: required, read: apiBulkInput{},
		about: "confirm takes what fits everything the filter names and waits for the caller, one review per claim, all or none, at most 5,000. undo takes back what is left of such a step by its batch_id; the filter counts for nothing then.",
		example: map[string]any{
			"action": "confirm", "filter": map[string]any{"verdict": "supported", "unsettled": true},
		},
		sends: []answers{{
			status: "200", words: "The claims, and those that were left out.", sent: apiBulkAnswer{},
			headers: []string{"ETag"},
		}},
	},
	"POST /api/v1/sessions/:id/close": {
		id: "closeSession", tag: "sessions", summary: "Close a session", keyed: true, states: true, read: apiCloseInput{}, bodyless: true,
		about: "A reason is asked for where claims are not settled. Any change opens it again.",
		sends: []answers{{status: "200", words: "As it is now.", sent: apiSessionReview{}}},
	},
	"POST /api/v1/sessions/:id/reopen": {
		id: "reopenSession", tag: "sessions", summary: "Open a closed session again", keyed: true, states: true, read: noFields, bodyless: true,
		sends: []answers{{status: "200", words: "As it is now.", sent: apiSessionReview{}}},
	},
	"POST /api/v1/sessions/:id/reviewers": {
		id: "setReviewers", tag: "sessions", summary: "Say who reviews a session", keyed: true, read: apiReviewersInput{},
		about:   "Everybody who reviews may take a free seat and leave their own; to seat others, and to ask for a second review, takes an administrator. In a blind one nobody sees what others say of a claim before both have decided it, and who reads the audit log has no seat.",
		example: map[string]any{"second_review": "blind"},
		sends:   []answers{{status: "200", words: "As it is now.", sent: apiSessionReview{}}},
	},
}
