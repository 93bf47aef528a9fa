package handlers

import (
	"reflect"

	"sanad/internal/domain/bundle"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/domain/sources"
	"sanad/internal/domain/text"
	"sanad/internal/exporters"
	"sanad/internal/openapi"
)

// newSchemas is what is to be known of the API's types beside their fields.
func newSchemas() *openapi.Schemas {
	return &openapi.Schemas{
		Words:  wordTypes,
		Prefix: map[string]string{"evidence": "Evidence", "sources": "Source", "pack": "Pack", "bundle": "Bundle"},
		Names: map[reflect.Type]string{
			reflect.TypeFor[exporters.ReviewView](): "ReviewAnswer", reflect.TypeFor[ledger.Strength](): "StrengthComponents",
			reflect.TypeFor[bundle.Bounding](): "BundleItemBounding",
		},
		Needed: map[string][]string{
			"PackInput": {"decision_id"}, "PackChangeInput": {"memo"}, "ApprovalInput": {"password"}, "PasswordInput": {"password"},
			"ReasonInput": {"reason"}, "RedactionInput": {"redactions"}, "PackExportInput": {"format"}, "LedgerExportInput": {"format"},
			"ReviewInput": {"action"}, "PackRedactionInput": {"kind", "id", "reason", "rule"},
			"DecisionFileInput": {"decision_id", "entity_id", "agent_name", "model", "model_version", "decided_at", "title", "statement",
				"approval_class", "reversibility_class", "sensitivity_class", "confidence"},
		},
		Open: []string{"SessionFileInput", "SessionInput", "DocumentInput", "PageInput", "ChunkInput", "OwnClaimInput", "OwnMatchInput",
			"DecisionFileInput", "PackEvidenceSourceInput", "PackToolCallRecordInput", "PackPromptRecordInput", "SourceCandidateInput", "SourceChunkInput"},
		Notes: fieldNotes,
	}
}

// wordTypes are the types of text that have a fixed set of values.
var wordTypes = map[reflect.Type][]string{
	reflect.TypeFor[jobStatus]():             words(jobStatuses...),
	reflect.TypeFor[jobErrorKind]():          words(jobErrorKinds...),
	reflect.TypeFor[ledger.Verdict]():        words(ledger.Verdicts...),
	reflect.TypeFor[ledger.ClaimType]():      words(ledger.ClaimTypes...),
	reflect.TypeFor[ledger.Importance]():     words(ledger.Importances...),
	reflect.TypeFor[ledger.Support]():        words(ledger.Supports...),
	reflect.TypeFor[ledger.Severity]():       words(ledger.High, ledger.Medium, ledger.Low),
	reflect.TypeFor[ledger.RiskType]():       words(ledger.RiskTypes...),
	reflect.TypeFor[ledger.Action]():         words(ledger.Actions...),
	reflect.TypeFor[ledger.ReviewState]():    words(ledger.ReviewStates...),
	reflect.TypeFor[text.PlacementKind]():    words(text.Exact, text.Normalised, text.Fuzzy, text.NotPlaced),
	reflect.TypeFor[pack.State]():            words(pack.States...),
	reflect.TypeFor[pack.Level]():            words(pack.Mandatory, pack.Recommended, pack.Skip),
	reflect.TypeFor[pack.Severity]():         words(pack.SeverityError, pack.SeverityWarning),
	reflect.TypeFor[pack.Op]():               words(pack.Kept, pack.Added, pack.Removed),
	reflect.TypeFor[sources.From]():          words(sources.FromChunk, sources.FromDoc, sources.Unknown),
	reflect.TypeFor[sources.Order]():         words(sources.ByScore, sources.ByRank, sources.ByInput),
	reflect.TypeFor[ledger.CiteStatus]():     words(ledger.Resolved, ledger.Ambiguous, ledger.Unresolved),
	reflect.TypeFor[ledger.DocumentStatus](): words(ledger.Ready, ledger.Deleted),
}

func words[T ~string](list ...T) []string {
	return each(list, func(w T) string { return string(w) })
}

// fieldNotes say of fields what their names do not.
var fieldNotes = map[string]string{
	"Session.ledger_url":                    "The address of the ledger.",
	"SessionFileInput.format":               "sanad.session/v1",
	"LedgerExportInput.format":              "markdown, json or pdf.",
	"PackExportInput.format":                "zip, json, markdown or pdf.",
	"Session.warnings":                      "What was kept and not understood.",
	"Job.step":                              "reading, judging or storing; empty before the first.",
	"Job.attempt":                           "How often it was begun; more than once after an interruption.",
	"Job.session_id":                        "null before it is done.",
	"Job.created":                           "false where that session was there already, or is not yet.",
	"Job.error":                             "Of a failed job.",
	"JobError.path":                         "The place of the fault in what was sent.",
	"SessionRow.unjudged":                   "Claims that no judge could judge; they count in no rate.",
	"SessionRow.evidence_coverage":          "Claims with at least one match, of all; 0 to 1.",
	"Entry.claim_id":                        "The caller's id.",
	"Entry.verdict":                         "The one that stands, a reviewer's included; null where no judge could judge the claim.",
	"Entry.machine_verdict":                 "What the judge said, whatever a reviewer said.",
	"Entry.confidence_score":                "0 to 1.",
	"Entry.evidence_chunk_ids":              "Chunk hashes of 8 digits.",
	"Entry.source_document":                 "null without evidence.",
	"Entry.evidence_strength":               "null without evidence.",
	"Entry.quote":                           "Where the snippet stands in its chunk, and how exactly; null without evidence.",
	"Entry.position":                        "From 0.",
	"Entry.number":                          "From 1, as people see it and as addresses take it.",
	"Entry.start_offset":                    "In the answer, in code points; null where the claim is not found in it.",
	"Entry.unjudged":                        "Why no judge could judge it.",
	"Entry.overridden":                      "A reviewer's verdict stands.",
	"Entry.uncited":                         "It should cite a source and does not.",
	"Summary.unsupported_rate":              "Contradicted and not found, of all; 0 to 1.",
	"Place.position":                        "Of the chunk in its document, from 0.",
	"Place.digest":                          "SHA-256 of the chunk.",
	"ReviewInput.verdict":                   "Asked for with override.",
	"ReviewInput.reason":                    "Asked for with override and needs_evidence.",
	"LedgerLink.download_url":               "Personal, for 15 minutes: it takes the token that made it.",
	"Link.download_url":                     "Personal, for 15 minutes: it takes the token or the login that made it.",
	"EvidenceMapInput.window":               "The length of an excerpt in code points, 200 unless told.",
	"EvidenceMap.root":                      "Merkle root over the evidence, in hex.",
	"EvidenceMap.prompt":                    "The evidence as a block for a prompt.",
	"EvidenceMap.lattice":                   "The claims with their evidence, as text.",
	"SourceOptionsInput.max_sources":        "6 unless told; 0 for none.",
	"SourceOptionsInput.max_snippet_chars":  "360 unless told, the ellipsis among them.",
	"SourceOptionsInput.debug":              "Adds payload.debug.",
	"SourceItem.kind":                       "documents, jobs, entities or custom.",
	"SourceCandidateInput.kind":             "documents, jobs, entities or custom; another word reads as custom.",
	"SourceCandidateInput.item_id":          "Asked for.",
	"SourceItem.rank":                       "From 1, in this list.",
	"PackRequirement.rules":                 "The rules that say so.",
	"PackRequirement.effective_class":       "The approval class that sign-off counts with.",
	"PackRequirement.approvers":             "How many different people sign.",
	"DecisionRow.pack_id":                   "Of the newest pack about it.",
	"DecisionRow.missing_pack":              "It must have a pack and has none.",
	"Pack.digest":                           "SHA-256 of pack.json, from submission on.",
	"Pack.makers":                           "Who made or edited this version: none of them may approve it.",
	"Pack.approvers":                        "How many different people must approve.",
	"Pack.validation":                       "Of a draft: every rule that it breaks now.",
	"Pack.files":                            "What is stored from submission and sign-off on.",
	"PackEntry.machine_verdict":             "Empty where no judge could judge it.",
	"PackEntry.verdict":                     "The one that stands; empty where there is none.",
	"PackReturn.reason":                     "Why it was given back.",
	"ApprovalInput.password":                "Your password, given again.",
	"ApprovalInput.code":                    "One-time, of who has that switched on.",
	"ApprovalInput.digest":                  "Of the pack that you read: other bytes are not approved.",
	"PasswordInput.password":                "Your password, given again.",
	"PasswordInput.code":                    "One-time, of who has that switched on.",
	"PackRedactionInput.kind":               "claim, excerpt, memo or tool_call.",
	"PackRedactionInput.id":                 "As in pack.json: a claim_id, E1, body_ar, T1.",
	"PackRedactionInput.rule":               "The rule by which it is left out.",
	"PackExportInput.reason":                "Shown to who decides about it.",
	"PackEnvelope.payload":                  "Base64 of the signed Statement.",
	"PackProof.hashes":                      "In hex, from the leaf up.",
	"PackRedacted.salts":                    "Of the parts that are there.",
	"Export.status":                         "asked, granted or refused.",
	"Purge.decision_too":                    "The decision goes with it, as no other pack is about it.",
	"ProblemDetails.path":                   "The place of the fault in what was sent: claims[3].start_offset.",
	"ProblemDetails.request_id":             "Also in the header X-Request-Id, and in the server's log.",
	"ProblemDetails.errors":                 "Everything that is wrong, where there may be several things.",
	"ProblemDetails.warnings":               "What is worth a look and keeps nothing from being done.",
	"ProblemItem.rule":                      "The number of the rule.",
	"ProblemItem.detail_ar":                 "The same in Arabic.",
	"PackToolCallRecord.contradiction_flag": "Computed from the actions and the status.",
}
