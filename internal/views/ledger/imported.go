package ledger

import (
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// ImportedView is what an exported ledger that was imported said of a claim. It is the file's word and settles nothing.
type ImportedView struct {
	From    string // which file, who brought it and when; the store's name if a trusted key signed the file
	Meaning string // that it settles nothing here
	Verdict *ui.Badge
	Judged  string // "the file's figure: 0.96"
	Reviews []ReviewLine
	// passages that people had attached as evidence where the file was made
	Passages []ImportedPassage
}

// ImportedPassage is a passage that a file says somebody attached.
type ImportedPassage struct {
	Attached string // who attached it and when
	Words    string // "" if the document was erased
	File     string
	Place    string
	Href     string
}

// newImportedViews lays out what imported files said of a claim, the newest first.
func newImportedViews(c *ui.Chrome, s *ledger.Session, claim *ledger.Claim) []ImportedView {
	var out []ImportedView
	for i := len(claim.Imported) - 1; i >= 0; i-- {
		out = append(out, newImportedView(c, s, claim, &claim.Imported[i]))
	}
	return out
}

func newImportedView(c *ui.Chrome, s *ledger.Session, claim *ledger.Claim, x *ledger.Imported) ImportedView {
	from := s.ImportOf(x)
	file := c.T("imported_no_name")
	if from.File != "" {
		file = say.Isolated(from.File)
	}
	v := ImportedView{Meaning: c.T("imported_settles_nothing"), From: c.T("imported_file", "File", file,
		"Name", c.Named(from.ByName), "At", c.Time(from.At))}
	if from.Store != "" {
		v.From = c.T("imported_signed", "Store", say.Isolated(from.Store), "File", file, "Name",
			c.Named(from.ByName), "At", c.Time(from.At))
	}
	if x.Verdict != "" {
		b := c.PersonBadge(x.Verdict)
		v.Verdict, v.Judged = &b, c.T("imported_figure", "Figure", c.Percent(x.Confidence))
	}
	for i := range x.Reviews {
		r := x.Reviews[i].AsReview()
		line := reviewLine(c, &r, "")
		if i < x.Stale {
			line.Stale = c.T("review_stale")
		}
		v.Reviews = append(v.Reviews, line)
	}
	for i := range x.Passages {
		v.Passages = append(v.Passages, newImportedPassage(c, s, claim, &x.Passages[i]))
	}
	return v
}

func newImportedPassage(c *ui.Chrome, s *ledger.Session, claim *ledger.Claim, p *ledger.ImportedPassage) ImportedPassage {
	out := ImportedPassage{Attached: c.T("attached_by", "Who", c.Named(p.Actor), "When", c.Time(p.At))}
	d := s.Document(p.Document)
	if d != nil {
		out.File, out.Href = say.DocumentName(d), ui.ChunkPathFrom(d.ID, p.Chunk, claim.Number())
	}
	if ch := s.Chunk(p.Ref()); ch != nil {
		out.Place = c.Place(d, ch)
		if p.End <= text.Len(ch.Text) {
			out.Words = d.Shown(text.Slice(ch.Text, p.Span()))
		}
	}
	return out
}
