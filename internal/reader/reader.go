package reader

import (
	"context"
	"fmt"
	"sync"
)

// MostClaim is how many tokens a claim may have. A longer one is refused, never cut.
const MostClaim = 128

// Pair is a passage and a claim to be read beside it.
type Pair struct{ Passage, Claim string }

// Logits are what the model says of a pair. Their softmax are its probabilities, before calibration.
type Logits struct{ Supports, Contradicts, Neither float32 }

// TooLongError says that a claim, or a passage beside its claim, has more tokens than fit.
type TooLongError struct {
	Pair   int // index in what was to be scored
	Claim  bool
	Tokens int
	Most   int
}

func (e *TooLongError) Error() string {
	what := "passage"
	if e.Claim {
		what = "claim"
	}
	return fmt.Sprintf("reader: the %s of pair %d has %d tokens; at most %d fit", what, e.Pair, e.Tokens, e.Most)
}

// Reader runs a model. It is safe for concurrent use; each call computes on the caller's goroutine alone.
type Reader struct {
	file    string
	head    head
	kernels func() []kernel // what the machine can run

	load    sync.Once
	err     error
	weights *weights
	kernel  kernel
	failed  string    // kernel that was not used, because it computes something else
	idle    sync.Pool // of *worker
}

// worker has what one call computes with.
type worker struct {
	tokenizer cutter
	encoder   encoder
	passage   []token
	claim     []token
	ids       []int32
}

// Open returns a reader of a file of weights, which may be memory that is mapped read-only and has to stay. It looks at
// the header and the length alone; digest and contents are checked when they are first needed.
func Open(weights string) (*Reader, error) {
	head, err := header(weights)
	if err != nil {
		return nil, err
	}
	return &Reader{file: weights, head: head, kernels: kernels}, nil
}

// Shape returns the dimensions of the model.
func (r *Reader) Shape() Shape { return r.head.Shape }

// Digest returns the SHA-256 of the weights, in hexadecimal, as the file has it. A file that has another one is refused
// when it is first used.
func (r *Reader) Digest() string { return digest(r.file) }

// Source returns the hexadecimal digest of the folder that an operator's model was made from, "" for the shipped
// reader.
func (r *Reader) Source() string { return r.head.source }

// Check reads the weights if they were not read yet, and returns why they cannot be used. It returns nil if they can.
func (r *Reader) Check() error {
	r.load.Do(func() {
		r.kernel, r.failed = choose(r.kernels())
		r.weights, r.err = decode(r.file, r.head)
	})
	return r.err
}

// Kernel returns the name of the functions that compute, and of those that were meant to but do not compute the same as
// the portable ones on this machine, "" if none.
func (r *Reader) Kernel() (name, failed string) {
	_ = r.Check() // which kernel is used does not depend on the weights
	return r.kernel.name, r.failed
}

// worker returns what a call computes with; it is put back into idle afterwards.
func (r *Reader) worker() (*worker, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	if w, found := r.idle.Get().(*worker); found {
		return w, nil
	}
	return &worker{
		tokenizer: r.weights.cutter(),
		encoder:   encoder{weights: r.weights, kernel: r.weights.adapt(r.kernel)},
	}, nil
}

// mostIdle is how many numbers of 4 bytes a worker may keep while nobody uses it.
const mostIdle = 1 << 20

// rest keeps a worker for the next call, unless a long pair or a wide model made its buffers large.
func (r *Reader) rest(w *worker) {
	e := &w.encoder
	if cap(e.x)+cap(e.y)+cap(e.heads)+cap(e.inner)+cap(e.scores) <= mostIdle {
		r.idle.Put(w)
	}
}

// Tokens returns how many tokens a text has. A claim has at most MostClaim of them; see MostPassage for a passage.
func (r *Reader) Tokens(text string) (int, error) {
	w, err := r.worker()
	if err != nil {
		return 0, err
	}
	defer r.rest(w)
	w.passage = w.tokenizer.appendTokens(w.passage[:0], text)
	return len(w.passage), nil
}

// IDs returns the ids of a text's tokens, without the model's own marks.
func (r *Reader) IDs(text string) ([]int32, error) {
	w, err := r.worker()
	if err != nil {
		return nil, err
	}
	defer r.idle.Put(w)
	w.passage = w.tokenizer.appendTokens(w.passage[:0], text)
	ids := make([]int32, len(w.passage))
	for i, token := range w.passage {
		ids[i] = token.id
	}
	return ids, nil
}

// MostPassage returns how many tokens a passage may have beside a claim of a number of tokens.
func (r *Reader) MostPassage(claim int) int { return r.head.Positions - r.head.marks() - claim }

// Unknown returns where the words of a text stand that the vocabulary does not spell. The model does not see what they
// say.
func (r *Reader) Unknown(text string) ([]Span, error) {
	w, err := r.worker()
	if err != nil {
		return nil, err
	}
	defer r.rest(w)
	w.passage = w.tokenizer.appendTokens(w.passage[:0], text)
	var spans []Span
	for _, token := range w.passage {
		if token.id == r.weights.vocabulary.unknown {
			spans = append(spans, token.span)
		}
	}
	return spans, nil
}

// Score returns the logits of pairs, in their order. A pair's logits do not depend on the other pairs. It refuses texts
// that do not fit with a TooLongError, and stops between two pairs when ctx is done.
func (r *Reader) Score(ctx context.Context, pairs []Pair) ([]Logits, error) {
	w, err := r.worker()
	if err != nil {
		return nil, err
	}
	defer r.rest(w)
	scores := make([]Logits, len(pairs))
	for i, pair := range pairs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		second, err := w.sequence(r, i, pair)
		if err != nil {
			return nil, err
		}
		logits := w.encoder.logits(w.ids, second)
		scores[i] = Logits{Supports: logits[0], Contradicts: logits[1], Neither: logits[2]}
	}
	return scores, nil
}

// sequence sets ids to the tokens of a pair, with the marks of the model, and returns where the claim begins.
func (w *worker) sequence(r *Reader, index int, pair Pair) (second int, err error) {
	w.claim = w.tokenizer.appendTokens(w.claim[:0], pair.Claim)
	if found := len(w.claim); found > MostClaim {
		return 0, &TooLongError{Pair: index, Claim: true, Tokens: found, Most: MostClaim}
	}
	w.passage = w.tokenizer.appendTokens(w.passage[:0], pair.Passage)
	if found, most := len(w.passage), r.MostPassage(len(w.claim)); found > most {
		return 0, &TooLongError{Pair: index, Tokens: found, Most: most}
	}
	vocabulary := r.weights.vocabulary
	w.ids = append(w.ids[:0], vocabulary.begin)
	for _, token := range w.passage {
		w.ids = append(w.ids, token.id)
	}
	for range r.head.Separators {
		w.ids = append(w.ids, vocabulary.separator)
	}
	second = len(w.ids)
	for _, token := range w.claim {
		w.ids = append(w.ids, token.id)
	}
	w.ids = append(w.ids, vocabulary.separator)
	return second, nil
}
