package audit

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// Proof is a C2SP tlog-proof that a leaf is in the tree of a checkpoint. It is checked offline, against known keys.
type Proof struct {
	Index      int64 // of the leaf, from 0
	Hashes     []Hash
	Checkpoint string // the signed note
}

// Prove returns the proof that the leaf at index is in the tree of a signed checkpoint, made from the tree's stored
// hashes.
func Prove(index int64, signed string, stored tlog.HashReader) (Proof, error) {
	c, err := Claimed(signed)
	if err != nil {
		return Proof{}, err
	}
	if index < 0 || index >= c.Size {
		return Proof{}, fmt.Errorf("leaf %d is not in a tree of %d", index, c.Size)
	}
	hashes, err := tlog.ProveRecord(c.Size, index, stored)
	return Proof{index, hashes, signed}, err
}

const (
	proofHeader    = "c2sp.org/tlog-proof@v1\n"
	maxProofHashes = 63
)

// String returns the text of a .tlog-proof file.
func (p *Proof) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%sindex %d\n", proofHeader, p.Index)
	for _, h := range p.Hashes {
		fmt.Fprintf(&b, "%s\n", h)
	}
	b.WriteString("\n" + p.Checkpoint)
	return b.String()
}

var errProof = errors.New("not a tlog-proof")

// ParseProof reads a .tlog-proof file. It ignores an extra line, which is not signed.
func ParseProof(text string) (Proof, error) {
	rest, ok := strings.CutPrefix(text, proofHeader)
	head, signed, found := strings.Cut(rest, "\n\n")
	if !ok || !found {
		return Proof{}, errProof
	}
	lines := strings.Split(head, "\n")
	if extra, ok := strings.CutPrefix(lines[0], "extra "); ok {
		if _, err := base64.StdEncoding.DecodeString(extra); err != nil || len(lines) == 1 {
			return Proof{}, errProof
		}
		lines = lines[1:]
	}
	digits, ok := strings.CutPrefix(lines[0], "index ")
	index, err := strconv.ParseInt(digits, 10, 64)
	if !ok || err != nil || index < 0 || strconv.FormatInt(index, 10) != digits || len(lines)-1 > maxProofHashes {
		return Proof{}, errProof
	}
	p := Proof{Index: index, Checkpoint: signed}
	for _, line := range lines[1:] {
		h, err := tlog.ParseHash(line)
		if err != nil || h.String() != line {
			return Proof{}, errProof
		}
		p.Hashes = append(p.Hashes, h)
	}
	return p, nil
}

// Verify checks that leaf, an event's exact bytes, is at the proof's index in a tree that a known key has signed. It
// returns that tree's checkpoint.
func (p *Proof) Verify(leaf []byte, known []Key) (Checkpoint, error) {
	c, _, err := Open(p.Checkpoint, known)
	if err != nil {
		return Checkpoint{}, err
	}
	if p.Index < 0 || p.Index >= c.Size {
		return Checkpoint{}, fmt.Errorf("leaf %d is not in a tree of %d", p.Index, c.Size)
	}
	return c, tlog.CheckRecord(p.Hashes, c.Size, c.Root, p.Index, LeafHash(leaf))
}

// Check is Verify for a tree head that has been verified already.
func (p *Proof) Check(leaf Hash, head TreeHead) error {
	return tlog.CheckRecord(p.Hashes, head.Size, head.Root, p.Index, leaf)
}
