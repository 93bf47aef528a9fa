package handlers

import "sanad/internal/domain/pack"

// exportOperations are those of copies of packs, of holds and of purges.
var exportOperations = map[string]*operation{
	"POST /api/v1/packs/:id/export": {
		id: "exportPack", tag: "exports", summary: "Take a pack away, or ask for it", keyed: true, states: true, read: packExportInput{}, example: map[string]any{"format": "zip"},
		about: "The formats are zip, json, markdown and pdf. Approvers have a link at once; all others have asked for a copy then.",
		sends: []answers{{
			status: "200", words: "A personal link.", sent: apiLink{},
		}, {status: "202", words: "The request, which waits to be granted.", sent: apiExport{}}},
	},
	"GET /api/v1/pack-exports": {
		id: "listExports", tag: "exports", summary: "List requests for copies", about: "One's own, or those that wait.",
		query: listQuery(flagOf("waiting", "Those of others that wait to be granted.")), sends: []answers{pageOf("exports", apiExport{})},
	},
	"POST /api/v1/pack-exports/:id/grant": {
		id: "grantExport", tag: "exports", summary: "Grant a copy", keyed: true, states: true, read: passwordInput{},
		about: "Somebody else's request only; only a person.", example: map[string]any{"password": "…"}, sends: []answers{{
			status: "200", words: "The request.", sent: apiExport{},
		}},
	},
	"POST /api/v1/pack-exports/:id/refuse": {
		id: "refuseExport", tag: "exports", summary: "Refuse a copy", keyed: true, states: true, read: reasonInput{},
		about: "Somebody else's request only.", sends: []answers{{
			status: "200", words: "The request.", sent: apiExport{},
		}},
	},
	"POST /api/v1/pack-exports/:id/link": {
		id: "linkExport", tag: "exports", summary: "Fetch the link of a granted copy", keyed: true, states: true, read: noFields, bodyless: true,
		about: "Of one's own request, once.", sends: []answers{{
			status: "200", words: "A personal link.", sent: apiLink{},
		}},
	},
	"POST /api/v1/packs/:id/hold": {
		id: "holdPack", tag: "retention", summary: "Put a pack under legal hold", keyed: true, ifMatch: optional, states: true, read: reasonInput{}, sends: []answers{aPack},
	},
	"POST /api/v1/packs/:id/hold/lift": {
		id: "liftHold", tag: "retention", summary: "Lift a legal hold", keyed: true, ifMatch: optional, states: true, read: reasonInput{}, sends: []answers{aPack},
	},
	"POST /api/v1/packs/:id/purge": {
		id: "askPurge", tag: "retention", summary: "Ask for a purge", keyed: true, states: true, read: noFields, bodyless: true,
		about: "A dry run: nothing is deleted before a second person confirms. Only after retain_until, and never under a hold.",
		sends: []answers{{status: "201", words: "What would go.", sent: apiPurge{}}},
	},
	"GET /api/v1/pack-purges": {
		id: "listPurges", tag: "retention", summary: "List purges", sends: []answers{{
			status: "200",
			words:  "What waits for a second person, what may be purged, and what is left of what was.",
			sent:   apiPurges{},
		}},
	},
	"POST /api/v1/pack-purges/:id/confirm": {
		id: "confirmPurge", tag: "retention", summary: "Confirm a purge", keyed: true, states: true, read: passwordInput{},
		about: "The second person's word: the pack is deleted, its tombstone stays.", example: map[string]any{"password": "…"},
		sends: []answers{{status: "200", words: "The tombstone.", sent: pack.Tombstone{}}},
	},
	"POST /api/v1/pack-purges/:id/refuse": {
		id: "refusePurge", tag: "retention", summary: "Refuse a purge", keyed: true, states: true, read: noFields, bodyless: true,
		sends: []answers{{status: "204", words: "It is off."}},
	},
}
