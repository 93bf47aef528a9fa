package ledger

import (
	"encoding/json"
	"fmt"

	"sanad/internal/domain/text"
)

// Upstream is what a provider's file said of one claim. It stands beside our verdict and never becomes it (rule L-21);
// it is kept as the session's extra field "claims[3].upstream".
type Upstream struct {
	UpstreamVerdict
	Citations []UpstreamMark `json:"citations,omitempty"`
	Labels    []UpstreamMark `json:"labels,omitempty"`
}

// UpstreamVerdict is a file's judgement: the verdict that its label means to us ("" for none), and the label as it
// stands there.
type UpstreamVerdict struct {
	Verdict Verdict  `json:"verdict,omitempty"`
	Label   string   `json:"label,omitempty"`
	Score   *float64 `json:"score,omitempty"`
	Reason  string   `json:"reason,omitempty"`
}

// Stated reports whether the file said anything.
func (v *UpstreamVerdict) Stated() bool {
	return v.Verdict != "" || v.Label != "" || v.Score != nil || v.Reason != ""
}

// UpstreamMark is a citation or label of the file and how it was placed. Offsets count code points, the end exclusive;
// those of the source count in the document's passages joined by line breaks.
type UpstreamMark struct {
	Path        string             `json:"path"` // in the row, so that a row means the same wherever it stands
	Kind        string             `json:"kind"`
	Placed      text.PlacementKind `json:"placed"`
	Words       string             `json:"words,omitempty"` // quoted, cut where they are long
	DocumentID  string             `json:"document_id,omitempty"`
	ChunkID     string             `json:"chunk_id,omitempty"`
	Start       *int               `json:"start,omitempty"`
	End         *int               `json:"end,omitempty"`
	QuotedOnly  bool               `json:"quoted_only,omitempty"` // the source's own text was not in the file
	AnswerStart *int               `json:"answer_start,omitempty"`
	AnswerEnd   *int               `json:"answer_end,omitempty"`
	*UpstreamVerdict
}

// UpstreamWhole is what the file said of the whole session, kept as "session.upstream".
type UpstreamWhole struct {
	Format string          `json:"format"`
	Placed *Placed         `json:"placed,omitempty"`
	Scores []UpstreamScore `json:"scores,omitempty"`
}

// UpstreamScore is a named figure or label about the whole answer.
type UpstreamScore struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value,omitempty"`
	Label string          `json:"label,omitempty"`
	Note  string          `json:"note,omitempty"`
}

// Placed counts how citations and labels were placed by the words they quote.
type Placed struct {
	Exact      int `json:"exact"`
	Normalised int `json:"normalised"`
	Fuzzy      int `json:"fuzzy"`
	NotPlaced  int `json:"not_placed"`
}

// Placements are the ways in which a citation is placed, the surest first.
var Placements = []text.PlacementKind{text.Exact, text.Normalised, text.Fuzzy, text.NotPlaced}

// Add counts one.
func (p *Placed) Add(kind text.PlacementKind) { *p.count(kind)++ }

// Of returns how many were placed in this way.
func (p Placed) Of(kind text.PlacementKind) int { return *p.count(kind) }

// Total returns how many there are.
func (p Placed) Total() int { return p.Exact + p.Normalised + p.Fuzzy + p.NotPlaced }

func (p *Placed) count(kind text.PlacementKind) *int {
	switch kind {
	case text.Exact:
		return &p.Exact
	case text.Normalised:
		return &p.Normalised
	case text.Fuzzy:
		return &p.Fuzzy
	case text.NotPlaced:
	}
	return &p.NotPlaced
}

// Share returns the part of all that was placed in this way, from 0 to 1; 0 if none.
func (p Placed) Share(kind text.PlacementKind) float64 {
	if p.Total() == 0 {
		return 0
	}
	return float64(p.Of(kind)) / float64(p.Total())
}

// UpstreamWholePath is where Session.Extra holds what a provider's file said of the whole.
const UpstreamWholePath = "session.upstream"

// UpstreamPath is where Session.Extra holds what the file said of the claim at a position.
func UpstreamPath(position int) string { return fmt.Sprintf("claims[%d].upstream", position) }

// UpstreamWhole returns what the provider's file said of the whole; nil if the session came from none.
func (s *Session) UpstreamWhole() *UpstreamWhole {
	out := &UpstreamWhole{}
	if !s.upstream(UpstreamWholePath, out) {
		return nil
	}
	if p := out.Placed; p != nil && (min(p.Exact, p.Normalised, p.Fuzzy, p.NotPlaced) < 0 || p.Total() <= 0) {
		out.Placed = nil
	}
	return out
}

// Upstream returns what the provider's file said of the claim at a position; nil if it said nothing.
func (s *Session) Upstream(position int) *Upstream {
	out := &Upstream{}
	if !s.upstream(UpstreamPath(position), out) {
		return nil
	}
	out.UpstreamVerdict = out.valid()
	for _, list := range [][]UpstreamMark{out.Citations, out.Labels} {
		for i := range list {
			list[i].repair()
		}
	}
	return out
}

// upstream reads a field that an importer wrote. In our own formats anyone may write a field of that name, which then
// means nothing; and a ledger that was exported, changed and read again may hold anything.
func (s *Session) upstream(path string, to any) bool {
	raw, ok := s.Extra[path]
	return ok && ProviderName(s.Format) != "" && json.Unmarshal(raw, to) == nil
}

// valid is v without a verdict that is none of ours.
func (v UpstreamVerdict) valid() UpstreamVerdict {
	if !v.Verdict.Valid() {
		v.Verdict = ""
	}
	return v
}

func (m *UpstreamMark) repair() {
	if m.Placed != text.Exact && m.Placed != text.Normalised && m.Placed != text.Fuzzy {
		m.Placed = text.NotPlaced
	}
	if m.UpstreamVerdict != nil {
		v := m.valid()
		m.UpstreamVerdict = &v
	}
}

// providers are the names of formats that others make, as their makers write them.
var providers = map[string]string{
	"anthropic.messages": "Anthropic Messages", "bedrock": "Amazon Bedrock", "cohere.chat": "Cohere", "deepeval": "DeepEval",
	"gemini.grounding": "Gemini", "in-toto.statement": "in-toto", "langchain": "LangChain", "langfuse.trace": "Langfuse",
	"lettucedetect": "LettuceDetect", "llamaindex": "LlamaIndex", "loki": "Loki", "openai.assistants": "OpenAI Assistants",
	"openai.chat": "OpenAI Chat Completions", "openai.responses": "OpenAI Responses", "otlp.spans": "OpenTelemetry", "ragas": "Ragas",
	"ragtruth": "RAGTruth", "refchecker": "RefChecker", "safe": "SAFE", "vercel.ui-message": "Vercel AI SDK",
}

// ProviderName names the provider's format that a Session.Format stands for; "" for our own formats and unknown ones.
func ProviderName(format string) string { return providers[format] }
