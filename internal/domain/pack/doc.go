// Package pack holds evidence packs: the read-only bundle of one decision of an AI system, that says what was decided,
// on what basis, what the system really did, and who stood for it (rules P-1 to P-20; formats: rules F-8 to F-11).
// Pure: ids, times, secrets and signers are passed in. Times are RFC 3339 texts, as they stand in pack.json.
package pack
