package ledger

import (
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/sources"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// SourcesInput is what the list of sources is made of.
type SourcesInput struct {
	Documents int // of the whole session
	Matched   []ledger.Passage
	Openings  []ledger.Passage
}

// SourceList is the list of a session's documents, each with the passage that its claims match best.
type SourceList struct {
	Count       string       // documents of the session, "" for no list
	First, More []SourceLine // More is folded
	MoreLabel   string
	Beyond      string // how many documents are not listed, "" if none
}

// SourceLine is one document.
type SourceLine struct {
	Name, Href string
	Title      string // of its own, such as the name that it has in the library; "" if that is the name
	Snippet    string
	Opening    bool // Snippet is how the document begins: no match of the first claims stands in it
}

const (
	shownSources  = 8 // unfolded
	listedSources = 24
	sourceSnippet = 160 // code points
)

// SourceList packs the session's documents as any client of POST /sources:pack would (rule S-1).
func (p *SessionPage) SourceList(s *ledger.Session, in SourcesInput) SourceList {
	candidates, chunks := retrieved(s, in)
	items := sources.Pack(candidates, chunks, sources.Options{
		MaxSources: new(listedSources), MaxSnippetChars: new(sourceSnippet), SnippetsPerSource: new(2),
		IncludeMetadataKeys: []string{},
	})
	if len(items) == 0 {
		return SourceList{}
	}
	lines := make([]SourceLine, len(items))
	for i := range items {
		lines[i] = sourceLine(s, &items[i])
		if at, ok := cited(s, in.Matched, &items[i]); ok {
			lines[i].Href = ui.ChunkPath(items[i].SourceID, at)
		}
	}
	first := min(shownSources, len(lines))
	if len(lines) == first+1 { // a fold for one line would be as long as the line
		first++
	}
	out := SourceList{Count: p.Num(max(in.Documents, len(lines))), First: lines[:first], More: lines[first:]}
	if len(out.More) > 0 {
		out.MoreLabel = p.N("n_more_sources", len(out.More))
	}
	if beyond := in.Documents - len(lines); beyond > 0 {
		out.Beyond = p.N("n_sources_beyond", beyond)
	}
	return out
}

// retrieved returns the session's citable documents as candidates, and the matches of its claims as chunks.
func retrieved(s *ledger.Session, in SourcesInput) ([]sources.Candidate, []sources.Chunk) {
	candidates, at := make([]sources.Candidate, 0, len(s.Documents)), map[int]int{}
	for i := range s.Documents {
		if d := &s.Documents[i]; d.Status != ledger.Deleted {
			at[d.Position] = len(candidates)
			candidates = append(candidates,
				sources.Candidate{ItemID: d.ID, Kind: sources.Documents, Title: say.DocumentName(d),
					URL: "/documents/" + d.ID})
		}
	}
	chunks := make([]sources.Chunk, 0, len(in.Matched))
	for _, m := range in.Matched {
		if i, ok := at[m.Chunk.Document]; ok {
			c := &candidates[i]
			chunks = append(chunks, sources.Chunk{ItemID: c.ItemID, Text: m.Text, Score: new(m.Similarity)})
			if c.Score == nil || *c.Score < m.Similarity {
				c.Score = new(m.Similarity)
			}
		}
	}
	for _, o := range in.Openings {
		if i, ok := at[o.Chunk.Document]; ok {
			candidates[i].Content = o.Text
		}
	}
	return candidates, chunks
}

// cited finds the passage that an item's first anchor cites. Only passages with the best score are hashed.
func cited(s *ledger.Session, matched []ledger.Passage, it *sources.Item) (position int, ok bool) {
	if len(it.Snippets) == 0 || it.Snippets[0].ChunkHash == nil || it.Score == nil {
		return 0, false
	}
	for _, m := range matched {
		d := s.Document(m.Chunk.Document)
		if d != nil && d.ID == it.SourceID && m.Similarity == *it.Score &&
			ledger.ChunkHash(m.Text) == *it.Snippets[0].ChunkHash {
			return m.Chunk.Chunk, true
		}
	}
	return 0, false
}

func sourceLine(s *ledger.Session, it *sources.Item) SourceLine {
	line := SourceLine{Name: it.SourceID, Href: "/documents/" + it.SourceID, Opening: it.SnippetFrom == sources.FromDoc}
	if it.Title != nil {
		line.Name = *it.Title
	}
	d := s.DocumentByID(it.SourceID)
	if d.Title != line.Name {
		line.Title = d.Title
	}
	if it.Snippet != nil {
		line.Snippet = d.Shown(*it.Snippet)
	}
	return line
}
