package agreement

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"sanad/internal/domain/ledger"
)

// Model is a model whose answers are reviewed. Fields are "" where the import did not say.
type Model struct{ Provider, Name, Version string }

// ModelOf names the model of a session: the provider stands before a slash in the model's name, as gateways write it,
// or is the vendor whose format it came in.
func ModelOf(name, version, format string) Model {
	m := Model{Name: strings.TrimSpace(name), Version: strings.TrimSpace(version)}
	if provider, rest, ok := strings.Cut(m.Name, "/"); ok && provider != "" && rest != "" {
		m.Provider, m.Name = provider, rest
		return m
	}
	if m.Name != "" {
		m.Provider = vendors[format]
	}
	return m
}

// vendors are those whose own formats tell whose model answered.
var vendors = map[string]string{
	"anthropic.messages": "anthropic", "bedrock": "bedrock", "cohere.chat": "cohere", "gemini.grounding": "google",
	"openai.assistants": "openai", "openai.chat": "openai", "openai.responses": "openai",
}

func (m Model) compare(o Model) int {
	return cmp.Or(cmp.Compare(m.Provider, o.Provider), cmp.Compare(m.Name, o.Name), cmp.Compare(m.Version, o.Version))
}

// Count is so many claims of one model that are alike in all else.
type Count struct {
	Type    ledger.ClaimType
	Lang    string
	Machine ledger.Verdict
	Verdict ledger.Verdict // that stands: a person's where one is settled, else the machine's
	Settled bool           // a person's verdict is settled
	Claims  int
}

// Figures are counts of the claims of one model, or of a part of them.
type Figures struct {
	Claims, Unjudged int
	ByVerdict        map[ledger.Verdict]int
	Settled          int // claims with a settled verdict of a person
	Overridden       int // of these, with another than the machine's
	compared         int // of these, with a verdict of the machine (ledger.Compared)
	settledWrong     int
}

// Wrong is the claims that their sources contradict or do not have, of those judged, by the verdict that stands.
func (f *Figures) Wrong() Share {
	return Share{f.ByVerdict[ledger.Contradicted] + f.ByVerdict[ledger.NotFound], f.Claims - f.Unjudged}
}

// WrongByPeople is Wrong of the claims that people settled.
func (f *Figures) WrongByPeople() Share { return Share{f.settledWrong, f.Settled} }

// Overrides is how many of the settled claims that the machine had judged got another verdict by people.
func (f *Figures) Overrides() Share { return Share{f.Overridden, f.compared} }

func (f *Figures) add(c *Count) {
	f.Claims += c.Claims
	if c.Verdict.Valid() {
		if f.ByVerdict == nil {
			f.ByVerdict = map[ledger.Verdict]int{}
		}
		f.ByVerdict[c.Verdict] += c.Claims
	} else {
		f.Unjudged += c.Claims
	}
	if !c.Settled || !c.Verdict.Valid() {
		return
	}
	f.Settled += c.Claims
	if ledger.Compared(c.Machine, c.Settled) {
		f.compared += c.Claims
		if c.Machine != c.Verdict {
			f.Overridden += c.Claims
		}
	}
	if c.Verdict == ledger.Contradicted || c.Verdict == ledger.NotFound {
		f.settledWrong += c.Claims
	}
}

// ModelFigures is how the claims of one model fared.
type ModelFigures struct {
	Model
	Sessions int
	All      Figures
	ByType   []NamedFigures // in the order of ledger.ClaimTypes, those with claims
	ByLang   []NamedFigures
}

// NamedFigures are those of one type or language.
type NamedFigures struct {
	Name string
	Figures
}

// Models gathers figures by model.
type Models struct{ each map[Model]*gathered }

type gathered struct {
	sessions    int
	all         Figures
	types, lang map[string]*Figures
}

func (m *Models) of(x Model) *gathered {
	if m.each == nil {
		m.each = map[Model]*gathered{}
	}
	g := m.each[x]
	if g == nil {
		g = &gathered{types: map[string]*Figures{}, lang: map[string]*Figures{}}
		m.each[x] = g
	}
	return g
}

// AddSession counts a session of a model.
func (m *Models) AddSession(x Model) { m.of(x).sessions++ }

// Add counts claims of a model.
func (m *Models) Add(x Model, c Count) {
	g := m.of(x)
	g.all.add(&c)
	for _, part := range []struct {
		of   map[string]*Figures
		name string
	}{{g.types, string(c.Type)}, {g.lang, c.Lang}} {
		if part.of[part.name] == nil {
			part.of[part.name] = &Figures{}
		}
		part.of[part.name].add(&c)
	}
}

// List returns the figures of each model, those with most claims first.
func (m *Models) List() []ModelFigures {
	out := make([]ModelFigures, 0, len(m.each))
	for x, g := range m.each {
		out = append(out, ModelFigures{Model: x, Sessions: g.sessions, All: g.all,
			ByType: named(g.types, typeOrder), ByLang: named(g.lang, cmp.Compare[string])})
	}
	slices.SortFunc(out, func(a, b ModelFigures) int {
		return cmp.Or(cmp.Compare(b.All.Claims, a.All.Claims), a.compare(b.Model))
	})
	return out
}

func named(m map[string]*Figures, order func(a, b string) int) []NamedFigures {
	out := make([]NamedFigures, 0, len(m))
	for _, name := range slices.SortedFunc(maps.Keys(m), order) {
		out = append(out, NamedFigures{name, *m[name]})
	}
	return out
}

// ModelReport is how the claims of a tenant's newest sessions fared, by the model that answered.
type ModelReport struct {
	Since    time.Time // day
	Sessions int       // that were counted
	More     bool      // older sessions of the period were left out
	Models   []ModelFigures
}

// Page returns up to limit models after the first so many, and the number to go on after; 0 if none is left.
func (r *ModelReport) Page(after, limit int) (page []ModelFigures, next int) {
	after = min(max(0, after), len(r.Models))
	end := min(len(r.Models), after+limit)
	if end < len(r.Models) {
		next = end
	}
	return r.Models[after:end], next
}
