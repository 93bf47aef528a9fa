package judge

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strconv"

	"sanad/internal/domain/ledger"
)

// inputDigest is the SHA-256 hex of what a run judges: every chunk's place and digest, and every claim's text with the
// matches that were given. Each part is written with its length before it, so that no two inputs are written the same.
func inputDigest(s *ledger.Session) string {
	h := sha256.New()
	write(h, "sanad.judge-input/v1")
	for i := range s.Documents {
		d := &s.Documents[i]
		write(h, "document", strconv.Itoa(d.Position), string(d.Status))
		for j := range d.Chunks {
			write(h, "chunk", strconv.Itoa(d.Chunks[j].Position), ledger.TextDigest(d.Chunks[j].Words()))
		}
	}
	for i := range s.Claims {
		c := &s.Claims[i]
		write(h, "claim", strconv.Itoa(c.Position), c.Text, strconv.FormatBool(c.Given))
		if !c.Given {
			continue
		}
		for _, m := range c.Matches {
			write(h, "match", strconv.Itoa(m.Chunk.Document), strconv.Itoa(m.Chunk.Chunk),
				strconv.FormatFloat(m.Similarity, 'g', -1, 64), string(m.Support), strconv.FormatBool(m.Contradicts),
				m.Snippet)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// write never fails: a hash takes all.
func write(h hash.Hash, parts ...string) {
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
}
