package pack

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"strconv"

	"golang.org/x/mod/sumdb/tlog"

	"sanad/internal/domain/audit"
	"sanad/internal/domain/canonical"
)

// The kinds of leaves, in their order in the tree. Kinds and order are part of every signed pack, so neither may change
// (pinned by stored_test.go). Head is everything in pack.json that is in no other leaf, so that every part of a
// redacted copy is signed.
const (
	LeafHead    = "head"      // id: the pack id
	LeafBlind   = "blind"     // id: the pack id; value: see below
	LeafClaim   = "claim"     // id: claim_id
	LeafAside   = "set_aside" // id: claim_id, of a claim that no longer counts
	LeafExcerpt = "excerpt"   // id: "E1", …; value: the fields of Quote
	LeafMemo    = "memo"      // id: the field, "body_ar"
	LeafCall    = "tool_call" // id: "T1", …
)

// The blind is 64 hex digits that only full copies contain. Without it, nobody who has a redacted copy can verify
// guesses of what is left out, by writing pack.json with the guess and comparing its digest with the signed one.

// redactedKey marks the replacement of a leaf. No field of pack.json has that name.
const redactedKey = "redacted"

// leaf is one leaf of the content root (rule P-4): its bytes are the canonical form of this.
type leaf struct {
	Salt  string `json:"salt"`
	Kind  string `json:"kind"`
	ID    string `json:"id"`
	Value any    `json:"value"`
}

// hashed is a leaf with its node in pack.json's tree and its RFC 6962 hash.
type hashed struct {
	Kind, ID string
	Bytes    []byte // nil if the leaf is redacted
	Hash     audit.Hash

	Reason, Rule string // of a redacted leaf
}

// treeOf returns v as decoded JSON, with numbers as they are written.
func treeOf(v any) (map[string]any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, notCanonical("pack.treeOf", err)
	}
	return treeFrom(data)
}

func treeFrom(data []byte) (map[string]any, error) {
	var tree map[string]any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		return nil, malformed("refused_json_object", err)
	}
	return tree, nil
}

// saltOf returns the salt of a leaf; false if it has none.
type saltOf func(kind, id string) (string, bool)

// leavesOf returns the leaves of pack.json's tree: head, blind, claims, claims set aside, excerpts, memo fields by
// name, tool calls. A redacted part has only the hash that replaces it. No two leaves have the same kind and id.
func leavesOf(tree map[string]any, salt saltOf) ([]hashed, error) {
	if err := checkShape(tree); err != nil {
		return nil, err
	}
	l := lister{salt: salt, seen: map[[2]string]bool{}}
	id, _ := tree["pack_id"].(string)
	l.add(LeafHead, id, headOf(tree))
	l.add(LeafBlind, id, tree["blind"])
	session, _ := tree["ledger"].(map[string]any)
	for _, e := range items(session["entries"]) {
		id, _ := e["claim_id"].(string)
		l.add(LeafClaim, id, e)
	}
	for _, e := range items(session["set_aside"]) {
		id, _ := e["claim_id"].(string)
		l.add(LeafAside, id, e)
	}
	for i, s := range items(tree["sources"]) {
		l.add(LeafExcerpt, Reference(i), quoteOf(s))
	}
	memo, _ := tree["memo"].(map[string]any)
	for _, name := range memoNames {
		l.add(LeafMemo, name, memo[name])
	}
	for i, t := range items(tree["tool_calls"]) {
		l.add(LeafCall, CallID(i), t)
	}
	return l.leaves, l.err
}

// checkShape refuses a tree with anything that would be in no leaf.
func checkShape(tree map[string]any) error {
	memo, _ := tree["memo"].(map[string]any)
	ok := objects(tree["sources"]) && objects(tree["tool_calls"]) && len(memo) == len(memoNames) && tree["blind"] != nil
	for _, name := range memoNames {
		_, there := memo[name]
		ok = ok && there
	}
	if session, there := tree["ledger"]; there {
		m, _ := session.(map[string]any)
		aside, some := m["set_aside"]
		ok = ok && objects(m["entries"]) && (!some || objects(aside))
	}
	if !ok {
		return malformed("refused_shaped_pack", nil)
	}
	return nil
}

// objects reports whether v is a list of objects.
func objects(v any) bool {
	all, ok := v.([]any)
	for _, x := range all {
		if _, is := x.(map[string]any); !is {
			return false
		}
	}
	return ok
}

// memoNames are the fields of the memo, sorted by name.
var memoNames = []string{"body_ar", "body_en", "executive_summary_ar", "executive_summary_en", "title_ar", "title_en"}

// CallID is the name of the i-th tool call in a pack, from 0: T1, T2 and so on.
func CallID(i int) string { return "T" + strconv.Itoa(i+1) }

// quoteKeys are the fields of Quote, and the mark that replaces them in a redacted copy.
var quoteKeys = []string{"excerpt", "excerpt_hash", "content_hash", "chunk_root", "offset_start", "offset_end",
	"evidence_id", redactedKey}

func headOf(tree map[string]any) map[string]any {
	head := without(tree, "content_root", "blind", "memo", "tool_calls")
	if session, ok := tree["ledger"].(map[string]any); ok {
		rest := without(session, "entries", "set_aside")
		if aside := items(session["set_aside"]); len(aside) > 0 {
			rest["set_aside"] = len(aside) // so that no copy can show a part of another kind as one of them
		}
		head["ledger"] = rest
	}
	sources := []any{}
	for _, s := range items(tree["sources"]) {
		sources = append(sources, without(s, quoteKeys...))
	}
	head["sources"] = sources
	return head
}

func quoteOf(source map[string]any) map[string]any {
	out := map[string]any{}
	for _, key := range quoteKeys {
		if v, ok := source[key]; ok {
			out[key] = v
		}
	}
	return out
}

func without(m map[string]any, keys ...string) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		out[k] = v
	}
	for _, k := range keys {
		delete(out, k)
	}
	return out
}

// items returns the objects of a list, with an empty object in place of anything else.
func items(v any) []map[string]any {
	all, _ := v.([]any)
	out := make([]map[string]any, len(all))
	for i, x := range all {
		out[i], _ = x.(map[string]any)
	}
	return out
}

// lister collects leaves until one cannot be made.
type lister struct {
	salt   saltOf
	seen   map[[2]string]bool
	leaves []hashed
	err    error
}

func (l *lister) add(kind, id string, value any) {
	if l.err != nil {
		return
	}
	// claims that are left out have no id, so several may be ""
	if m, ok := value.(map[string]any); ok && m[redactedKey] != nil {
		hash, err := redactedHash(m)
		mark, _ := m[redactedKey].(map[string]any)
		reason, _ := mark["reason"].(string)
		rule, _ := mark["rule"].(string)
		l.leaves, l.err = append(l.leaves, hashed{Kind: kind, ID: id, Hash: hash, Reason: reason, Rule: rule}), err
		return
	}
	if l.seen[[2]string{kind, id}] { // they would share a salt
		l.err = malformed("refused_leaves_twice", nil, "Kind", kind, "Name", id)
		return
	}
	l.seen[[2]string{kind, id}] = true
	salt, ok := l.salt(kind, id)
	if !ok {
		l.err = malformed("refused_salt_missing", nil, "Kind", kind, "Name", id)
		return
	}
	data, err := canonical.JSON(leaf{Salt: salt, Kind: kind, ID: id, Value: value})
	if err != nil {
		l.err = notCanonical("pack.leavesOf", err)
		return
	}
	l.leaves = append(l.leaves, hashed{Kind: kind, ID: id, Bytes: data, Hash: audit.LeafHash(data)})
}

// redactedHash reads the hash that replaces a leaf; the mark must be the only field.
func redactedHash(m map[string]any) (audit.Hash, error) {
	mark, _ := m[redactedKey].(map[string]any)
	digits, _ := mark["leaf_hash"].(string)
	_, reason := mark["reason"].(string)
	_, rule := mark["rule"].(string)
	h, ok := hashFrom(digits)
	if !ok || !reason || !rule || len(mark) != 3 || len(m) != 1 {
		return h, malformed("refused_redaction_leaf_hash", nil)
	}
	return h, nil
}

// rootOf is the RFC 6962 root over the leaves, in hex.
func rootOf(leaves []hashed) string {
	var tree audit.Tree
	for _, l := range leaves {
		tree.Append(l.Hash)
	}
	root := tree.Root()
	return hex.EncodeToString(root[:])
}

// pathOf is the RFC 6962 inclusion path of one leaf.
func pathOf(leaves []hashed, index int) ([]audit.Hash, error) {
	var tree audit.Tree
	var stored []audit.Hash
	for _, l := range leaves {
		stored = append(stored, tree.Append(l.Hash)...)
	}
	return tlog.ProveRecord(int64(len(leaves)), int64(index),
		tlog.HashReaderFunc(func(at []int64) ([]audit.Hash, error) {
			out := make([]audit.Hash, len(at))
			for i, n := range at {
				out[i] = stored[n]
			}
			return out, nil
		}))
}

func hexOf(h audit.Hash) string { return hex.EncodeToString(h[:]) }

// hashFrom reads 64 lower-case hex digits.
func hashFrom(digits string) (audit.Hash, bool) {
	var h audit.Hash
	b, err := hex.DecodeString(digits)
	if err != nil || len(b) != len(h) || hex.EncodeToString(b) != digits {
		return h, false
	}
	return audit.Hash(b), true
}

// Part names a leaf of the content root that can be proved alone or left out of a copy, with a text that identifies it
// for people.
type Part struct {
	Kind, ID string
	Text     string
}

// Parts returns the claims, those set aside, excerpts, memo fields and tool calls, each in order. The text of an excerpt
// is its source's name.
func (c *Content) Parts() []Part {
	var out []Part
	if c.Ledger != nil {
		for i := range c.Ledger.Entries {
			out = append(out, Part{LeafClaim, c.Ledger.Entries[i].ClaimID, c.Ledger.Entries[i].ClaimText})
		}
		for _, e := range c.Ledger.SetAside {
			out = append(out, Part{LeafAside, e.ClaimID, e.ClaimText})
		}
	}
	for i := range c.Sources {
		out = append(out, Part{LeafExcerpt, Reference(i), c.Sources[i].Source})
	}
	for _, f := range c.Memo.Fields() {
		out = append(out, Part{LeafMemo, f.Name, f.Text})
	}
	for i := range c.ToolCalls {
		out = append(out, Part{LeafCall, CallID(i), c.ToolCalls[i].ToolName})
	}
	return out
}
