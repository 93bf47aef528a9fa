package judge

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
)

// balanceFile has what `go run ./internal/fit -calibrate` found for the reader that is shipped.
//
//go:embed weights/reader.json
var balanceFile []byte

// Balances weigh what a reader says of a window against how its words compare with the claim's, by kind of evidence.
type Balances struct {
	Reader   string  `json:"reader"` // digest of the one that they were found for
	Document Balance `json:"document"`
	Sentence Balance `json:"sentence"`

	digest string
}

// Balance tells how likely a window supports a claim, and how likely it contradicts it.
type Balance struct {
	Support  Sum `json:"support"`
	Conflict Sum `json:"conflict"`
}

// Sum adds up a few figures of a window to log-odds, and turns these into a probability.
type Sum struct {
	Bias  float64 `json:"bias"`
	Parts []Part  `json:"parts"`
	Curve Curve   `json:"curve"`
}

// Part is what one figure counts.
type Part struct {
	Figure string  `json:"figure"`
	Weight float64 `json:"weight"`

	place int // of the figure
}

// The figures of a window that the reader gives, behind those of featureTable.
const (
	readsSupport  = int(featureCount) + iota // how much it prefers "supports" to its next answer
	readsConflict                            // the same for "contradicts"
	seenCount
)

// seenNames are the names of all figures of a window.
var seenNames = func() []string {
	names, _ := Figures()
	return append(names, "reads_support", "reads_conflict")
}()

// SeenNames lists the figures of a Seen.
func SeenNames() []string { return seenNames }

// figureSeen returns a figure of a window by its place.
func (s *sight) figureSeen(place int) float64 {
	switch place {
	case readsSupport:
		return s.logits.support()
	case readsConflict:
		return s.logits.contradiction()
	}
	return s.figures[place]
}

// logOdds adds up the figures of a window.
func (m *Sum) logOdds(s *sight) float64 { return m.of(s.figureSeen) }

// of adds up figures by their places.
func (m *Sum) of(figure func(place int) float64) float64 {
	sum := m.Bias
	for i := range m.Parts {
		sum += float64(m.Parts[i].Weight * figure(m.Parts[i].place))
	}
	return sum
}

// shares splits logOdds among the figures that compare words; what the reader says is not among them.
func (m *Sum) shares(v *vector) (each vector, base float64) {
	for _, p := range m.Parts {
		if p.place < len(each) {
			each[p.place] = float64(p.Weight * v[p.place])
		}
	}
	return each, m.Bias
}

// Chance is the probability that a window supports its claim, before any rule is heard.
func (b *Balances) Chance(w *Seen, document bool) float64 {
	if w.Same {
		return verbatimP
	}
	m := &b.of(document).Support
	return m.Curve.at(m.of(func(place int) float64 { return w.Figures[place] }))
}

// Carries reports whether a probability is enough for full support.
func Carries(p float64) bool { return p > fullMark }

// balances returns the shipped ones.
var balances = sync.OnceValue(func() *Balances {
	b, err := ReadBalances(balanceFile)
	if err != nil {
		panic("judge: " + err.Error() + ": run go run ./internal/fit -calibrate")
	}
	return b
})

// ReadBalances reads balances as they are stored. It refuses figures that this package does not have.
func ReadBalances(data []byte) (*Balances, error) {
	b := &Balances{}
	if err := json.Unmarshal(data, b); err != nil {
		return nil, fmt.Errorf("calibration of the reader: %w", err)
	}
	if err := b.place(); err != nil {
		return nil, err
	}
	digest := sha256.Sum256(data)
	b.digest = hex.EncodeToString(digest[:])
	return b, nil
}

// place finds the figures of the parts.
func (b *Balances) place() error {
	for _, sum := range []*Sum{&b.Document.Support, &b.Document.Conflict, &b.Sentence.Support, &b.Sentence.Conflict} {
		for i := range sum.Parts {
			p := &sum.Parts[i]
			if p.place = slices.Index(seenNames, p.Figure); p.place < 0 {
				return fmt.Errorf("calibration of the reader: there is no figure %q", p.Figure)
			}
		}
	}
	return nil
}

// of returns the balance for a kind of evidence.
func (b *Balances) of(document bool) *Balance {
	if document {
		return &b.Document
	}
	return &b.Sentence
}
