package pack

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"

	"sanad/internal/domain"
	"sanad/internal/domain/canonical"
	"sanad/internal/domain/ledger"
	"sanad/internal/words"
)

// Frozen is a pack's content as it was submitted: the bytes of pack.json, which never change, and what is derived from
// them.
type Frozen struct {
	Content Content
	Bytes   []byte // pack.json: RFC 8785, no final newline
	Digest  string // SHA-256 of Bytes in hex: the pack digest
	Salts   Salts  // of the leaves of the content root; not in pack.json
}

// Freeze makes pack.json from a content. secret belongs to the pack and is never part of it: the salts are derived from
// it. The same content and secret give the same bytes.
func Freeze(c Content, secret []byte) (*Frozen, error) {
	c.tidy()
	// salted as "blind itself", unlike its leaf
	c.EvidenceMapRoot, c.ContentRoot, c.Blind = c.mapRoot(), "", Salt(secret, "blind itself", c.PackID)
	tree, err := treeOf(c)
	if err != nil {
		return nil, err
	}
	salts := Salts{Format: SaltsFormat, PackID: c.PackID}
	leaves, err := leavesOf(tree, salts.derive(secret))
	if err != nil {
		return nil, err
	}
	c.ContentRoot = rootOf(leaves)
	data, err := canonical.JSON(c)
	if err != nil {
		return nil, notCanonical("pack.Freeze", err)
	}
	back, err := Parse(data) // as every later reader sees it, down to the key order in outputs; and it must be readable
	if err != nil {
		return nil, err
	}
	return &Frozen{Content: *back, Bytes: data, Digest: Digest(data), Salts: salts}, nil
}

// LoadFrozen returns the Frozen of a stored pack.json and its secret. Only the salts are computed, so that a pack
// stays the same whatever later versions of Freeze do.
func LoadFrozen(packJSON, secret []byte) (*Frozen, error) {
	c, err := Parse(packJSON)
	if err != nil {
		return nil, err
	}
	tree, err := treeFrom(packJSON)
	if err != nil {
		return nil, err
	}
	salts := Salts{Format: SaltsFormat, PackID: c.PackID}
	leaves, err := leavesOf(tree, salts.derive(secret))
	if err != nil {
		return nil, err
	}
	if rootOf(leaves) != c.ContentRoot {
		return nil, malformed("refused_secret_pack_json", nil)
	}
	return &Frozen{Content: *c, Bytes: bytes.Clone(packJSON), Digest: Digest(packJSON), Salts: salts}, nil
}

// complete returns an error if the content could not be read back as a pack.
func (c *Content) complete() error {
	if !CheckID(c.PackID) || c.Version < 1 || c.Confidence == nil || bare(c.Blind) == "" {
		return malformed("refused_pack_form_sanad", nil)
	}
	return nil
}

// Digest returns the hex SHA-256 of data.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// packs is the format of pack.json.
var packs = versioned[Content]{field: "format", name: "sanad.evidence_pack/v", now: Format, read: readPack}

// Parse reads pack.json. It accepts only the bytes that Freeze returns: canonical, with its fields and no others. The
// error is ErrNewer if the version is newer, and ErrUnreleased if it is from before the first release.
func Parse(packJSON []byte) (*Content, error) { return packs.parse(packJSON) }

func readPack(packJSON []byte) (*Content, error) {
	var c Content
	if err := exact(packJSON, fields.Pack, &c); err != nil {
		return nil, err
	}
	if _, ok := hashFrom(c.ContentRoot); !ok {
		return nil, malformed("refused_content_root", nil)
	}
	if err := c.complete(); err != nil {
		return nil, err
	}
	return &c, nil
}

// MaxFile is the size limit of files that are read or written here, in bytes.
const MaxFile = 64 << 20

func malformed(id string, err error, args ...any) *domain.Error {
	return &domain.Error{Kind: domain.Invalid, Op: "pack", Message: words.Msg(id, args...), Err: err}
}

func notCanonical(op string, err error) *domain.Error {
	return &domain.Error{Kind: domain.Invalid, Op: op, Message: words.Msg("refused_cannot_written_rfc"), Err: err}
}

// tidy replaces absent lists by empty ones and fills in the computed fields, on copies of the caller's data.
func (c *Content) tidy() {
	c.Format, c.Requirement = Format, Requires(&c.Header)
	c.Sources = append([]EvidenceSource{}, c.Sources...)
	c.ToolCalls = append([]ToolCallRecord{}, c.ToolCalls...)
	c.Prompts = append([]PromptRecord{}, c.Prompts...)
	for i := range c.ToolCalls {
		c.ToolCalls[i] = c.ToolCalls[i].settled()
	}
	c.Replay = c.Replay.promote()
	c.tidyLedger()
	if c.Policy == nil {
		c.Policy = DefaultPolicy().Under(c.Requirement.EffectiveClass)
	}
	c.Policy, c.Alarms = c.Policy.decided(c), c.alarms()
}

func (c *Content) tidyLedger() {
	if c.Ledger == nil {
		return
	}
	l := *c.Ledger
	l.Entries = tidyEntries(l.Entries)
	if l.SetAside = tidyEntries(l.SetAside); len(l.SetAside) == 0 {
		l.SetAside = nil
	}
	c.Ledger = &l
}

func tidyEntries(all []Entry) []Entry {
	out := append([]Entry{}, all...)
	for i := range out {
		e := &out[i]
		e.Reviews, e.Flags = append([]Review{}, e.Reviews...), append([]ledger.RiskType{}, e.Flags...)
	}
	return out
}
