package pack

import (
	"crypto/ed25519"
	"slices"

	"sanad/internal/domain"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/canonical"
)

// RedactedFormat names the format of a redacted copy.
const RedactedFormat = "sanad.redacted_pack/v2"

// Redaction requests that a leaf is left out of a copy, with the reason and the rule that a reader is shown.
type Redaction struct {
	Kind   string `json:"kind"` // LeafClaim, LeafAside, LeafExcerpt, LeafMemo or LeafCall
	ID     string `json:"id"`
	Reason string `json:"reason"`
	Rule   string `json:"rule"`
}

// Redacted is an export of a signed pack in which leaves are replaced by their hash, the reason and the rule.
// Everything else can still be verified against the signed content root.
type Redacted struct {
	Format string `json:"format"`
	// pack.json's tree, with {"redacted":{leaf_hash, reason, rule}} where a leaf was
	Pack  map[string]any `json:"pack"`
	Salts []LeafSalt     `json:"salts"` // of the leaves that are not redacted
	DSSE  Envelope       `json:"dsse"`
	// in which the tenant's key signs the reasons and rules; empty until Sign: nothing reads a copy without it
	Reasons Envelope `json:"reasons"`
}

// unblinded is the reason why the blind is left out of every copy.
var unblinded = Redaction{Kind: LeafBlind,
	Reason: "Without it nobody can try out what is left out by the digest of pack.json.", Rule: "sanad blind"}

// Redact returns a redacted copy of a signed pack, its reasons unsigned (see Sign). The head, which says which decision
// the pack is about, is never left out; the blind always is. It refuses to leave out a text that the copy would still
// contain elsewhere, and names the places.
func Redact(f *Frozen, signed *Envelope, what []Redaction) (*Redacted, error) {
	tree, err := treeFrom(f.Bytes)
	if err != nil {
		return nil, err
	}
	leaves, err := leavesOf(tree, f.Salts.look())
	if err != nil {
		return nil, err
	}
	blind := unblinded
	blind.ID = f.Content.PackID
	gone := map[[2]string]bool{}
	for _, r := range append([]Redaction{blind}, what...) {
		i := slices.IndexFunc(leaves, func(l hashed) bool { return l.Kind == r.Kind && l.ID == r.ID })
		if i < 0 || r.Kind == LeafHead {
			return nil, domain.Refuse(domain.NotFound, "", "refused_pack_could_left", "Name", r.Kind, "Other", r.ID)
		}
		if blank(r.Reason) || blank(r.Rule) {
			return nil, domain.Refuse(domain.Invalid, "reason", "refused_parts_reason")
		}
		gone[[2]string{r.Kind, r.ID}] = true
		replace(tree, r, leaves[i].Hash)
	}
	if err := f.Content.refuseQuoted(gone); err != nil {
		return nil, err
	}
	out := &Redacted{Format: RedactedFormat, Pack: tree, Salts: []LeafSalt{}, DSSE: *signed}
	for _, s := range f.Salts.Salts {
		if !gone[[2]string{s.Kind, s.ID}] {
			out.Salts = append(out.Salts, s)
		}
	}
	return out, nil
}

// listOf names the list of the ledger that has the leaves of a kind.
var listOf = map[string]string{LeafClaim: "entries", LeafAside: "set_aside"}

// replace puts the mark in place of the leaf that a redaction names.
func replace(tree map[string]any, r Redaction, hash audit.Hash) {
	mark := map[string]any{redactedKey: map[string]any{"leaf_hash": hexOf(hash), "reason": r.Reason, "rule": r.Rule}}
	switch r.Kind {
	case LeafBlind:
		tree["blind"] = mark
	case LeafClaim, LeafAside:
		session, _ := tree["ledger"].(map[string]any)
		entries, _ := session[listOf[r.Kind]].([]any)
		for i, e := range items(entries) {
			if e["claim_id"] == r.ID {
				entries[i] = mark
			}
		}
	case LeafExcerpt:
		for i, s := range items(tree["sources"]) {
			if Reference(i) == r.ID {
				for _, key := range quoteKeys {
					delete(s, key)
				}
				s[redactedKey] = mark[redactedKey]
			}
		}
	case LeafMemo:
		memo, _ := tree["memo"].(map[string]any)
		memo[r.ID] = mark
	case LeafCall:
		calls, _ := tree["tool_calls"].([]any)
		for i := range calls {
			if CallID(i) == r.ID {
				calls[i] = mark
			}
		}
	}
}

// Bytes returns the redacted copy as a file.
func (r *Redacted) Bytes() ([]byte, error) { return canonical.JSON(r) }

// copies is the format of a redacted copy.
var copies = versioned[Redacted]{field: "format", name: "sanad.redacted_pack/v", now: RedactedFormat, read: readRedacted}

// ParseRedacted reads a redacted copy.
func ParseRedacted(data []byte) (*Redacted, error) { return copies.parse(data) }

func readRedacted(data []byte) (*Redacted, error) {
	var r Redacted
	if err := exact(data, fields.Redacted, &r); err != nil {
		return nil, err
	}
	return &r, nil
}

// Verify checks that a key has signed the pack that this is a copy of, and that everything in the copy is as it was
// signed. It returns the Statement and how many leaves are left out, not counting the blind.
func (r *Redacted) Verify(public ed25519.PublicKey) (s *Statement, leftOut int, err error) {
	if s, err = r.DSSE.Statement(public); err != nil {
		return nil, 0, err
	}
	salts := Salts{Salts: r.Salts}
	leaves, err := leavesOf(r.Pack, salts.look())
	if err != nil {
		return nil, 0, err
	}
	if err := fit(r.Salts, leaves); err != nil {
		return nil, 0, err
	}
	if root := rootOf(leaves); root != s.Predicate.ContentRoot || r.Pack["content_root"] != root ||
		r.Pack["pack_id"] != s.Predicate.PackID {
		return nil, 0, malformed("refused_left_signed", nil)
	}
	for _, l := range leaves {
		if l.Bytes == nil && l.Kind != LeafBlind {
			leftOut++
		}
	}
	return s, leftOut, nil
}
