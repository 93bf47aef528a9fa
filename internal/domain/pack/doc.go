// Package pack holds evidence packs. A pack is the read-only record of one decision of an AI system: what was decided,
// on what basis, what the system really did, and who approved it (rules P-1 to P-20; formats: rules F-8 to F-11). Pure:
// ids, times, secrets and signers are passed in. Times are RFC 3339 texts, as in pack.json.
package pack
