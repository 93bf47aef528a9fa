package packs

import (
	"strings"

	"sanad/internal/domain/pack"
	"sanad/internal/views/ui"
)

// ComparePage shows what changed between two versions.
type ComparePage struct {
	ui.Chrome
	Title    string
	Old, New VersionView
	Nothing  bool
	Claims   []ChangeView
	Sources  []SourceChangeView
	Memo     []MemoChangeView
	Others   []VersionView // the other versions, to compare with
}

// SourceChangeView is one source that came, went or changed.
type SourceChangeView struct{ Kind, Name, Old, New string }

// MemoChangeView is one part of the memo whose wording changed.
type MemoChangeView struct {
	Label, Lang, Dir string
	Pieces           []pack.Piece
}

// CompareInput is two versions of a pack, the older first, and what changed.
type CompareInput struct {
	Title    string
	Old, New Version
	Shown    string // id of the version that the page belongs to
	Versions []Version
	Names    map[string]string
	Session  string // the ledger's, "" if none
	Changes  pack.Changes
}

// NewComparePage lays out what changed from older to newer. Pure.
func NewComparePage(c ui.Chrome, in CompareInput) *ComparePage {
	both := versionViews(&c, []Version{in.Old, in.New}, in.Shown, in.Names)
	p := &ComparePage{Chrome: c, Title: in.Title, Old: both[0], New: both[1], Nothing: in.Changes.None()}
	if in.Session != "" {
		in.Session = "/sessions/" + in.Session
	}
	p.Claims = changeViews(&c, LedgerChanges(in.Changes), in.Session)
	add := func(kind string, all []pack.SourceChange) {
		for _, x := range all {
			p.Sources = append(p.Sources, SourceChangeView{
				Kind: c.T("pk_source_" + kind), Name: x.Source, Old: x.OldHash, New: x.NewHash,
			})
		}
	}
	add("changed", in.Changes.SourcesChanged)
	add("added", in.Changes.SourcesAdded)
	add("dropped", in.Changes.SourcesDropped)
	for _, m := range in.Changes.Memo {
		v := MemoChangeView{
			Label: c.T("pk_memo_"+strings.TrimSuffix(m.Name, "_"+m.Lang)) + " · " + c.T("pk_lang_"+m.Lang),
			Lang:  m.Lang, Dir: direction(m.Lang), Pieces: shownPieces(m.Pieces),
		}
		p.Memo = append(p.Memo, v)
	}
	for _, v := range versionViews(&c, in.Versions, in.Shown, in.Names) {
		if v.ID != in.Old.ID && v.ID != in.New.ID {
			p.Others = append(p.Others, v)
		}
	}
	return p
}

// shownPieces returns pieces without changes of white space alone: the newer text's is shown, unmarked.
func shownPieces(pieces []pack.Piece) []pack.Piece {
	var out []pack.Piece
	for _, p := range pieces {
		if strings.TrimSpace(p.Text) == "" && p.Op == pack.Removed {
			continue
		}
		if strings.TrimSpace(p.Text) == "" {
			p.Op = pack.Kept
		}
		if last := len(out) - 1; last >= 0 && out[last].Op == p.Op {
			out[last].Text += p.Text
			continue
		}
		out = append(out, p)
	}
	return out
}

// direction is the direction that a language is written in.
func direction(lang string) string {
	if lang == "ar" {
		return "rtl"
	}
	return "ltr"
}
