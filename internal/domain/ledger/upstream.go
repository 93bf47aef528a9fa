package ledger

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sanad/internal/domain/text"
)

// Upstream is what a provider's file says about one claim. It is shown beside our verdict and never becomes it (rule
// L-21); it is stored as the session's extra field "claims[3].upstream".
type Upstream struct {
	UpstreamVerdict
	Citations []UpstreamMark `json:"citations,omitempty"`
	Labels    []UpstreamMark `json:"labels,omitempty"`
}

// UpstreamVerdict is a file's judgement: our verdict for its label ("" if none), and the original label.
type UpstreamVerdict struct {
	Verdict Verdict  `json:"verdict,omitempty"`
	Label   string   `json:"label,omitempty"`
	Score   *float64 `json:"score,omitempty"`
	Reason  string   `json:"reason,omitempty"`
}

// Stated reports whether the file has a judgement.
func (v *UpstreamVerdict) Stated() bool {
	return v.Verdict != "" || v.Label != "" || v.Score != nil || v.Reason != ""
}

// PointerMark is the kind of a mark that says which passage a pointer of an evidence map means: its words are the
// pointer, its chunk the evidence id (rule E-1). It quotes nothing, so it is placed nowhere.
const PointerMark = "pointer"

// UpstreamMark is a citation or label of the file and how it was placed. Offsets count code points, end exclusive;
// those of the source count in the document's passages joined by line breaks.
type UpstreamMark struct {
	Path        string             `json:"path"` // within the row, so that equal rows have equal paths
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

// UpstreamWhole is what the file says about the whole session, stored as "session.upstream".
type UpstreamWhole struct {
	Format string          `json:"format"`
	Placed *Placed         `json:"placed,omitempty"`
	Scores []UpstreamScore `json:"scores,omitempty"`
	// spans of a live trace that were refused: what they held is missing in the session
	Refused []RefusedSpans `json:"refused_spans,omitempty"`
}

// RefusedSpans are spans of a live trace that were refused for one cause. Stored and exported.
type RefusedSpans struct {
	Cause string   `json:"cause"`
	N     int      `json:"count"`
	Spans []string `json:"spans,omitempty"` // ids of the first
}

// RefusalCauses are the values of RefusedSpans.Cause, those of package live for spans whose trace is known.
var RefusalCauses = []string{"bad_content", "too_large", "trace_full"}

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

// Placements lists how a citation can be placed, the most certain first.
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

// Share returns the proportion that was placed in this way, from 0 to 1; 0 if none.
func (p Placed) Share(kind text.PlacementKind) float64 {
	if p.Total() == 0 {
		return 0
	}
	return float64(p.Of(kind)) / float64(p.Total())
}

// UpstreamWholePath is the path in Session.Extra of what a provider's file says about the whole.
const UpstreamWholePath = "session.upstream"

// UpstreamPath returns the path in Session.Extra of what the file says about the claim at a position.
func UpstreamPath(position int) string { return fmt.Sprintf("claims[%d].upstream", position) }

// UpstreamWhole returns what the provider's file says about the whole; nil if the session was not imported from one.
func (s *Session) UpstreamWhole() *UpstreamWhole {
	out := &UpstreamWhole{}
	if !s.upstream(UpstreamWholePath, out) {
		return nil
	}
	if p := out.Placed; p != nil && (min(p.Exact, p.Normalised, p.Fuzzy, p.NotPlaced) < 0 || p.Total() <= 0) {
		out.Placed = nil
	}
	out.Refused = slices.DeleteFunc(out.Refused, func(r RefusedSpans) bool {
		return r.N <= 0 || !slices.Contains(RefusalCauses, r.Cause)
	})
	return out
}

// RefusedSpans returns the spans that the live trace lacks from which the session was made, nil if none.
func (s *Session) RefusedSpans() []RefusedSpans {
	if whole := s.UpstreamWhole(); whole != nil {
		return whole.Refused
	}
	return nil
}

// RefusedTotal returns how many spans those are.
func (s *Session) RefusedTotal() (n int) {
	for _, r := range s.RefusedSpans() {
		n += r.N
	}
	return n
}

// Upstream returns what the provider's file says about the claim at a position; nil if nothing. A file of our own
// format may have the caller's explanation (Explanations).
func (s *Session) Upstream(position int) *Upstream {
	out := &Upstream{}
	if ProviderName(s.Format) == "" {
		if out.Reason = s.explained(position); out.Reason == "" {
			return nil
		}
		return out
	}
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

// Explanations are the fields beside a claim or a match in which a caller's judge says why. They are not part of
// sanad.session/v1: they are kept in Session.Extra and shown as the caller's own words.
var Explanations = []string{"notes", "reason", "rationale", "explanation"}

// maxExplained bounds the matches of a claim that are looked through for explanations.
const maxExplained = 100

// explained returns the caller's explanations of the claim at a position: of the claim, then of its matches.
func (s *Session) explained(position int) string {
	if len(s.Extra) == 0 {
		return ""
	}
	var out []string
	add := func(path string) {
		for _, field := range Explanations {
			var words string
			raw, ok := s.Extra[path+"."+field]
			if ok && json.Unmarshal(raw, &words) == nil && strings.TrimSpace(words) != "" && !slices.Contains(out, words) {
				out = append(out, words)
			}
		}
	}
	claim := fmt.Sprintf("claims[%d]", position)
	add(claim)
	for i := range maxExplained {
		add(fmt.Sprintf("%s.matches[%d]", claim, i))
	}
	return strings.Join(out, "\n")
}

// ExplanationPath returns the path in Session.Extra under which pages load the explanations of the claim at a position.
func ExplanationPath(position int) string {
	return fmt.Sprintf("claims[%d].%s", position, Explanations[0])
}

// upstream decodes a field that an importer wrote. Fields with that name in our own formats are ignored, as anyone may
// write them; and a ledger that was exported, changed and imported again may hold anything.
func (s *Session) upstream(path string, to any) bool {
	raw, ok := s.Extra[path]
	return ok && ProviderName(s.Format) != "" && json.Unmarshal(raw, to) == nil
}

// valid returns v, without its verdict if it is not one of ours.
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

// providers are the names of other vendors' formats, as the vendors spell them.
var providers = map[string]string{
	"anthropic.messages": "Anthropic Messages", "batch": "Batch", "bedrock": "Amazon Bedrock",
	"bedrock.converse": "Amazon Bedrock", "cohere.chat": "Cohere",
	"deepeval":         "DeepEval",
	"evidence.map":     "Evidence Map",
	"gemini.grounding": "Gemini", "in-toto.statement": "in-toto", "langchain": "LangChain",
	"jaeger":         "Jaeger",
	"langfuse.trace": "Langfuse", "langfuse.observations": "Langfuse", "langsmith.runs": "LangSmith",
	"label-studio": "Label Studio", "ledger": "Evidence Ledger", "promptfoo": "promptfoo", "trulens": "TruLens", "trulens.spans": "TruLens",
	"mlflow.trace": "MLflow", "phoenix.spans": "Phoenix", "otel.console": "OpenTelemetry",
	"lettucedetect": "LettuceDetect", "llamaindex": "LlamaIndex", "loki": "Loki",
	"openai.assistants": "OpenAI Assistants",
	"openai.chat":       "OpenAI Chat Completions", "openai.responses": "OpenAI Responses",
	"otlp.spans": "OpenTelemetry",
	"ragas":      "Ragas",
	"ragtruth":   "RAGTruth", "refchecker": "RefChecker", "safe": "SAFE", "vercel.ui-message": "Vercel AI SDK",
}

// ProviderName returns the name of the provider's format in Session.Format; "" for our own and unknown ones.
func ProviderName(format string) string { return providers[format] }
