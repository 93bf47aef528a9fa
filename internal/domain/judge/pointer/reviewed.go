package pointer

import (
	"math"

	"sanad/internal/domain/ledger"
)

// MinReviews is how many settled claims a share of a word needs before it is said or taken over (rule J-12): of fewer
// the lower bound says more about their number than about the model.
const MinReviews = 10

// Reviewed is what people made of a model's words, each claim once (rule J-12).
type Reviewed struct {
	Words    ledger.Table // the model's word by row, the settled verdict of people by column
	Blind    int          // of these, claims of sessions whose reviewers did not see each other's verdicts first
	Objected int          // words left out: no trust makes them a verdict, as the embedded judge objects
}

// Add counts a claim: the note on its first match ("" if it has none), the verdict that the machine gave it, and that
// which people settled.
func (r *Reviewed) Add(note string, machine, settled ledger.Verdict, blind bool) {
	word, alone := SaidIn(note, machine)
	if !word.Valid() || !settled.Valid() {
		return
	}
	if !alone {
		r.Objected++
		return
	}
	r.Words.Add(word, settled, 1)
	if blind {
		r.Blind++
	}
}

// SaidIn returns the word that the note on a model's match repeats, and whether trust alone decides what it is worth:
// not for a "supported" with which the embedded judge disagrees, or beside which a sentence speaks to the judge.
// Without a note the word is the verdict itself, which then is not found.
func SaidIn(note string, machine ledger.Verdict) (word ledger.Verdict, alone bool) {
	if word, alone = ledger.ModelWord(note); word == "" {
		return machine, note == "" && machine == ledger.NotFound
	}
	return word, alone || word != ledger.Supported
}

// Reviews counts the words that trust can make a verdict of, and those that people agreed with.
func (r *Reviewed) Reviews() Reviews {
	return Reviews{
		Supported: r.Words.Row(ledger.Supported), SupportedRight: r.Words.At(ledger.Supported, ledger.Supported),
		Contradicted:      r.Words.Row(ledger.Contradicted),
		ContradictedRight: r.Words.At(ledger.Contradicted, ledger.Contradicted),
	}
}

// Measured is Reviews.Trust of the words with enough reviews, 0 for another, rounded down to a thousandth: what is
// shown is what is taken over.
func (r *Reviewed) Measured() Trust {
	n := r.Reviews()
	t := n.Trust()
	if n.Supported < MinReviews {
		t.Supported = 0
	}
	if n.Contradicted < MinReviews {
		t.Contradicted = 0
	}
	return Trust{Supported: thousandths(t.Supported), Contradicted: thousandths(t.Contradicted)}
}

func thousandths(share float64) float64 { return math.Floor(share*1000) / 1000 }
