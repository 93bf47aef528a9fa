package importers

import (
	"encoding/json"

	"sanad/internal/domain"
	"sanad/internal/recode"
	"sanad/internal/words"
)

// Gemini and Vertex grounding (python-genai google/genai/types.py, rule F-7): a segment quotes a part of the answer and
// counts UTF-8 bytes. Names are camelCase in the API and snake_case in the SDK. A start of 0 is omitted.

type geminiFile struct {
	geminiResponse
	Request  *geminiRequest  `json:"request"`
	Response *geminiResponse `json:"response"`
}

type geminiRequest struct {
	Contents json.RawMessage `json:"contents"` // a text or contents
}

type geminiContent struct {
	Parts []json.RawMessage `json:"parts"`
}

type geminiPart struct {
	Text    string `json:"text"`
	Thought bool   `json:"thought"`
}

type geminiResponse struct {
	ID         string            `json:"responseId"`
	IDSnake    string            `json:"response_id"`
	Model      string            `json:"modelVersion"`
	ModelSnake string            `json:"model_version"`
	Candidates []geminiCandidate `json:"candidates"`
}

type geminiCandidate struct {
	Content   geminiContent    `json:"content"`
	Grounding *geminiGrounding `json:"groundingMetadata"`
	Snake     *geminiGrounding `json:"grounding_metadata"`
}

type geminiGrounding struct {
	Chunks        []geminiChunk   `json:"groundingChunks"`
	ChunksSnake   []geminiChunk   `json:"grounding_chunks"`
	Supports      []geminiSupport `json:"groundingSupports"`
	SupportsSnake []geminiSupport `json:"grounding_supports"`
}

type geminiChunk struct {
	Web       *geminiPlace `json:"web"`
	Retrieved *geminiPlace `json:"retrievedContext"`
	Snake     *geminiPlace `json:"retrieved_context"`
}

type geminiPlace struct {
	URI       string `json:"uri"`
	Title     string `json:"title"`
	Text      string `json:"text"`
	Page      int    `json:"pageNumber"`
	PageSnake int    `json:"page_number"`
}

type geminiSupport struct {
	Segment      geminiSegment `json:"segment"`
	Indices      []int         `json:"groundingChunkIndices"`
	IndicesSnake []int         `json:"grounding_chunk_indices"`
}

type geminiSegment struct {
	Part      int    `json:"partIndex"`
	PartSnake int    `json:"part_index"`
	Start     *int   `json:"startIndex"`
	StartSn   *int   `json:"start_index"`
	End       *int   `json:"endIndex"`
	EndSn     *int   `json:"end_index"`
	Text      string `json:"text"`
}

func readGemini(r row) (*draft, error) {
	var f geminiFile
	if err := r.into(&f); err != nil {
		return nil, err
	}
	resp, path := &f.geminiResponse, "candidates"
	if f.Response != nil {
		resp, path = f.Response, "response.candidates"
	}
	d := newDraft(r.path, path)
	d.head.ExternalID, d.head.Model = resp.ID+resp.IDSnake, resp.Model+resp.ModelSnake
	if f.Request != nil {
		c := conversation{d: d}
		c.messages(joined(r.path, "request.contents"), f.Request.Contents)
		d.head.Query = asked(f.Request.Contents)
	}
	if len(resp.Candidates) == 0 {
		return d, nil
	}
	if len(resp.Candidates) > 1 {
		d.skip(joined(r.path, at(path, 1, "")), words.Msg("warning_first_candidate"))
	}
	c, here := &resp.Candidates[0], joined(r.path, at(path, 0, ""))
	d.answerAt = here + ".content.parts"
	begin := make([]int, len(c.Content.Parts)) // in bytes of the answer
	tools := conversation{d: d}
	for i, raw := range c.Content.Parts {
		var p geminiPart
		if err := sub(at(d.answerAt, i, ""), raw, &p); err != nil {
			return nil, err
		}
		if p.Thought || p.Text == "" {
			begin[i], d.apart = d.text.Len(), d.apart || p.Text == ""
			tools.part(at(d.answerAt, i, ""), objectOf(raw), &said{}, "")
			continue
		}
		d.say(p.Text, "")
		begin[i] = d.text.Len() - len(p.Text)
	}
	g, field := c.Grounding, "groundingMetadata"
	if g == nil {
		g, field = c.Snake, "grounding_metadata"
	}
	if g == nil && len(d.sources) > 0 { // of tools
		return d, nil
	}
	if g == nil {
		d.skip(here, words.Msg("warning_grounding"))
		return d, nil
	}
	d.grounding(joined(here, field), g, begin)
	return d, nil
}

// readGeminiRows reads answers, one a row, and those that came in several: what streamGenerateContent sends goes on in
// the next row until one says why it ended, under one id.
func readGeminiRows(rows rowSource, give func(*draft) error) error {
	var first row
	var open *geminiJoiner
	n := 0
	flush := func() error {
		if n == 0 {
			return nil
		}
		r := first
		if n > 1 {
			r.src = string(recode.Encode(open.answer()))
		}
		others := open != nil && open.others
		ended := open == nil || open.ended || n == 1
		n = 0
		return each(func(r row) (*draft, error) {
			d, err := readGemini(r)
			if err == nil && !ended {
				d.skip(r.path, words.Msg("warning_stream_cut"))
			}
			if err == nil && others {
				d.skip(r.path, words.Msg("warning_first_choice"))
			}
			return d, err
		})(sliceRows{r}, give)
	}
	err := rows.each(func(r row) error {
		var m attributes
		_ = r.into(&m) // readGemini reports it
		if n == 0 || open.ended || !open.goesOn(m) {
			if err := flush(); err != nil {
				return err
			}
			first, open = r, &geminiJoiner{}
		}
		open.add(m)
		n++
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}

// goesOn reports whether an answer is the next part of those so far.
func (j *geminiJoiner) goesOn(m attributes) bool {
	return len(listOf(m["candidates"])) > 0 && j.whole != nil &&
		j.whole.text("responseId", "response_id") == m.text("responseId", "response_id")
}

// grounding reads the sources, and adds a mark for each source of each support.
func (d *draft) grounding(path string, g *geminiGrounding, begin []int) {
	chunks, supports := append(g.Chunks, g.ChunksSnake...), append(g.Supports, g.SupportsSnake...)
	sources := make([]*source, len(chunks))
	for i, c := range chunks {
		sources[i] = d.geminiSource(at(path+".groundingChunks", i, ""), &c)
	}
	for i := range supports {
		s := &supports[i]
		m := mark{path: at(path+".groundingSupports", i, ""), kind: "grounding", said: s.Segment.quoted(begin)}
		named := append(s.Indices, s.IndicesSnake...)
		for _, k := range named {
			if m.source, m.why = nil, (domain.Message{}); k >= 0 && k < len(sources) {
				m.source = sources[k]
			} else {
				m.why = words.Msg("warning_grounding_chunk", "N", k)
			}
			d.marks = append(d.marks, m)
		}
		if len(named) == 0 {
			m.why = words.Msg("warning_grounding_none")
			d.marks = append(d.marks, m)
		}
	}
}

func (d *draft) geminiSource(path string, c *geminiChunk) *source {
	p := c.Retrieved
	if p == nil {
		p = c.Snake
	}
	if p == nil {
		p = c.Web
	}
	s := d.source(path, "")
	if p == nil {
		return s
	}
	if s.uri, s.title = p.URI, p.Title; !blank(p.Text) {
		s.add(part{path: path, text: p.Text, page: p.Page + p.PageSnake})
	}
	return s
}

// quoted returns the segment as a quotation from the whole answer.
func (s *geminiSegment) quoted(begin []int) quoted {
	from, to, part, zero := s.Start, s.End, s.Part+s.PartSnake, 0
	if from == nil {
		from = s.StartSn
	}
	if to == nil {
		to = s.EndSn
	}
	if from == nil && to != nil {
		from = &zero // protocol buffers omit zeros
	}
	base := 0
	if part > 0 && part < len(begin) {
		base = begin[part]
	}
	return quoted{words: s.Text, from: shifted(from, base), to: shifted(to, base), in: utf8Bytes}
}
