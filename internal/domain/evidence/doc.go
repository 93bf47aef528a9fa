// Package evidence builds the evidence map: the numbered table of source spans that a claim points to, its ids and
// Merkle root, the prompt blocks a model reads, and the excerpt a reader sees (rules E-1 to E-9).
//
// A model never writes a quote; it names a pointer (E1, E2, …), which this package resolves. The content-addressed
// evidence id is stored and audited, never the pointer. All offsets, lengths and windows count Unicode code points.
// vectors/evidence_map.json pins every function that the reference program has.
package evidence
