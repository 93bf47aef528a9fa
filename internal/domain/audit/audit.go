// Package audit is the log that cannot be rewritten: RFC 6962 Merkle trees over events, signed checkpoints, proofs, and
// their verification (rules LOG-1 to LOG-7). Pure: storage hands in hashes and leaves.
package audit

import (
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// Hash is a node of the tree: SHA-256, of a leaf or of two nodes, as RFC 6962 tells them apart.
type Hash = tlog.Hash

// LeafHash is the hash of an event's stored bytes as a leaf.
func LeafHash(data []byte) Hash { return tlog.RecordHash(data) }

// Report is what checking a whole log found.
type Report struct {
	Origin   string
	Size     int64
	Root     string // base64
	KeyID    string // of the checkpoint's signature
	FirstBad int64  // seq of the first event that is not what was logged; 0 if all are, or only the head is wrong
	Faults   []Fault
	Witness  string // what the checkpoint outside the database says: "agrees", "is missing", …
}

// Words says all faults in English, in one line.
func (r *Report) Words() string {
	words := make([]string, len(r.Faults))
	for i, f := range r.Faults {
		words[i] = f.String()
	}
	return strings.Join(words, "; ")
}

// OK reports whether nothing was found.
func (r *Report) OK() bool { return r.FirstBad == 0 && len(r.Faults) == 0 }
