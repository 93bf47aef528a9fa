// Package audit is the tamper-evident log: RFC 6962 Merkle trees over events, signed checkpoints, proofs, and their
// verification (rules LOG-1 to LOG-7). It does no I/O: storage passes in hashes and leaves.
package audit

import (
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// Hash is a node of the tree: the SHA-256 of a leaf or of two nodes, with the prefixes of RFC 6962.
type Hash = tlog.Hash

// LeafHash is the hash of an event's stored bytes as a leaf.
func LeafHash(data []byte) Hash { return tlog.RecordHash(data) }

// Report is the result of checking a whole log.
type Report struct {
	Origin         string
	Size           int64
	Root           string // base64
	KeyID          string // of the checkpoint's signature
	FirstBad       int64  // seq of the first event that is not what was logged; 0 if none, or if only the head is wrong
	Faults         []Fault
	CheckpointFile string // what the checkpoint outside the database says: "agrees", "is missing", …
}

// Words describes all faults in English, on one line.
func (r *Report) Words() string {
	words := make([]string, len(r.Faults))
	for i, f := range r.Faults {
		words[i] = f.String()
	}
	return strings.Join(words, "; ")
}

// OK reports whether the log has no fault.
func (r *Report) OK() bool { return r.FirstBad == 0 && len(r.Faults) == 0 }
