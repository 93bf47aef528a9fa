package handlers

import (
	"sanad/internal/domain/pack"
	"sanad/internal/openapi"
)

// aPack is an answer that is a pack, and newPack one that has just been made.
var (
	aPack = answers{
		status: "200", words: "The pack as it is now.", sent: apiPack{}, headers: []string{"ETag", "Location"},
	}
	newPack = answers{status: "201", words: "The draft.", sent: apiPack{}, headers: []string{"ETag", "Location"}}
)

// packOperations are those of a pack's life.
var packOperations = map[string]*operation{
	"GET /api/v1/packs": {
		id: "listPacks", tag: "packs", summary: "List packs", about: "The newest first.",
		query: listQuery(choiceOf("status", "", pack.States...), textOf("decision_id", ""), textOf("ledger_session_id", ""), textOf("q", "In the title, the agent or the ids.")),
		sends: []answers{pageOf("packs", apiPackRow{})},
	},
	"POST /api/v1/packs": {
		id: "createPack", tag: "packs", summary: "Open a draft", keyed: true, states: true, read: packInput{}, example: map[string]any{"decision_id": "dec_abc123"},
		about: "Where the decision has a pack, open a new version of that (409).", sends: []answers{newPack},
	},
	"GET /api/v1/packs/:id": {
		id: "showPack", tag: "packs", summary: "Read a pack", none: true, about: "What pack.json says, and beside it everything that changes. pack.json to the byte is in an export.",
		sends: []answers{{status: "200", words: "The pack.", sent: apiPack{}, headers: []string{"ETag"}}, unchanged},
	},
	"PATCH /api/v1/packs/:id": {
		id: "editPack", tag: "packs", summary: "Rewrite a draft's memo", keyed: true, ifMatch: required, states: true, read: packChange{},
		about: "What is not given stays as it is.", example: map[string]any{"memo": map[string]any{"title_en": "Fit of Riyadh Hospital"}}, sends: []answers{aPack},
	},
	"POST /api/v1/packs/:id/submit": {
		id: "submitPack", tag: "packs", summary: "Submit a draft for review", keyed: true, ifMatch: optional, states: true, read: noFields, bodyless: true,
		about: "Freezes pack.json. A draft that breaks rules is refused with all of them.", sends: []answers{aPack},
	},
	"POST /api/v1/packs/:id/approve": {
		id: "approvePack", tag: "packs", summary: "Approve a pack", keyed: true, ifMatch: optional, states: true, read: approvalInput{},
		about:   "The last approval that is needed signs the pack off. Only a person who made or edited no version of it, with the password given again; a machine's token gets 403.",
		example: map[string]any{"password": "…", "comment": "Read and agreed."}, sends: []answers{aPack},
	},
	"POST /api/v1/packs/:id/return": {
		id: "returnPack", tag: "packs", summary: "Give a pack back", keyed: true, ifMatch: optional, states: true, read: reasonInput{},
		about: "Only a person.", example: map[string]any{"reason": "Name the hospital."}, sends: []answers{aPack},
	},
	"GET /api/v1/packs/:id/versions": {
		id: "listVersions", tag: "packs", summary: "List a pack's versions", sends: []answers{{
			status: "200", words: "The oldest first.", sent: rowsOf("versions", apiPackRow{}),
		}},
	},
	"POST /api/v1/packs/:id/versions": {
		id: "createVersion", tag: "packs", summary: "Open the next version", keyed: true, ifMatch: optional, states: true, read: noFields, bodyless: true,
		about: "Of a pack that was signed off or returned.", sends: []answers{newPack},
	},
	"GET /api/v1/packs/:id/changes": {
		id: "showChanges", tag: "packs", summary: "See what changed",
		query: []*openapi.Parameter{textOf("from", "A version of the pack (the one before, unless told), `signed`: the last one before it that was signed off, or `ledger`: what changed there since it was copied.")},
		sends: []answers{{status: "200", words: "The changes.", sent: apiChanges{}}},
	},
	"GET /api/v1/packs/:id/dsse": {
		id: "showEnvelope", tag: "packs", summary: "Read the signed envelope", about: "404 until the pack is signed off.",
		sends: []answers{{status: "200", words: "DSSE, as it is stored.", sent: pack.Envelope{}}},
	},
	"GET /api/v1/packs/:id/proofs/:kind/:part": {
		id: "provePart", tag: "packs", summary: "Prove one part", about: "A proof that one part is in the signed pack; it verifies alone.",
		path: map[string]*openapi.Schema{
			"kind": openapi.Choice([]string{pack.LeafClaim, pack.LeafExcerpt, pack.LeafMemo, pack.LeafCall}, ""),
			"part": openapi.String("A claim_id, E1, body_ar, T1."),
		},
		sends: []answers{{
			status: "200", words: "The proof, as a file.", sent: pack.Proof{},
			headers: []string{"Content-Disposition"},
		}},
	},
	"POST /api/v1/packs/:id/redacted": {
		id: "redactPack", tag: "packs", summary: "Make a redacted copy", read: redactionInput{}, about: "What is left still verifies. Each copy stands in the audit log.",
		example: map[string]any{"redactions": []any{map[string]any{
			"kind": "excerpt", "id": "E1", "reason": "Personal data", "rule": "PDPL 10",
		}}},
		sends: []answers{{
			status: "200", words: "The copy, as a file.", sent: pack.Redacted{},
			headers: []string{"Content-Disposition"},
		}},
	},
}
