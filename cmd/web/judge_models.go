package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"sanad/internal/app"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/judge/pointer"
	"sanad/internal/domain/redact"
	"sanad/internal/llm"
	"sanad/internal/webhooks"
)

// modelFlags say which model or scorer judges.
type modelFlags struct {
	endpoint, model, keyFile, calls string
	allow                           []string
	parallel, tries                 int
	timeout                         time.Duration
	trust, priceIn, priceOut        float64

	embeddings, embeddingsModel, embeddingsKeyFile string
	redact                                         bool
}

func (f *modelFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.endpoint, "endpoint", "",
		"address that openai, anthropic or nli ask, as https://models.example/v1")
	flags.StringVar(&f.model, "model", "", "model that is asked")
	flags.StringVar(&f.keyFile, "key-file", "", "file with the endpoint's key")
	flags.StringSliceVar(&f.allow, "allow", nil,
		"network that the endpoint may be in although it is not public, also without TLS, as 127.0.0.1 "+
			"(repeat it, or separate by commas)")
	flags.StringVar(&f.embeddings, "embeddings", "",
		"address of an endpoint with /embeddings that helps to find passages, as https://models.example/v1")
	flags.StringVar(&f.embeddingsModel, "embeddings-model", "", "model that makes the embeddings")
	flags.StringVar(&f.embeddingsKeyFile, "embeddings-key-file", "", "file with the key of --embeddings")
	flags.BoolVar(&f.redact, "redact", false,
		"send place-holders such as [phone 1] for e-mail addresses, phone numbers, IBANs, ids, cards and IP addresses")
	flags.IntVar(&f.parallel, "parallel", 8, "how many rows are asked about at a time")
	flags.IntVar(&f.tries, "tries", 4, "how often a question is sent at most, if the endpoint is busy or fails")
	flags.DurationVar(&f.timeout, "timeout", time.Minute, "how long one try may take")
	flags.Float64Var(&f.trust, "trust", 0,
		"share of the model's “supported” that was measured to be right, 0 to 1; without it they are weak")
	flags.Float64Var(&f.priceIn, "price-in", 0, "what a million tokens of a question cost")
	flags.Float64Var(&f.priceOut, "price-out", 0, "what a million tokens of an answer cost")
	flags.StringVar(&f.calls, "calls", "",
		"file that a line about each call is appended to: model, tokens, cost, digests, time")
}

// embedded is the name of the judge that needs no endpoint.
const embedded = "embedded"

// judgeOf returns the judge of a name, own for the embedded one, and what counts its calls: nil if it makes none.
func (f *modelFlags) judgeOf(name string, own *app.Embedded, errs io.Writer) (judge.Judge, *callTally, error) {
	switch name {
	case embedded:
		return own.Judge(), nil, nil
	case judge.Lexical{}.Name():
		return judge.NewLexical(), nil, nil
	}
	if f.trust < 0 || f.trust > 1 {
		return nil, nil, fmt.Errorf("--trust %g: give a share from 0 to 1", f.trust)
	}
	key, err := keyOf("--key-file", f.keyFile)
	if err != nil {
		return nil, nil, err
	}
	cfg := llm.Config{
		Kind: llm.Kind(name), Endpoint: f.endpoint, Model: f.model, Key: key, Timeout: f.timeout, Tries: f.tries,
		Trust: pointer.Trust{Supported: f.trust}, Price: llm.Price{In: f.priceIn, Out: f.priceOut},
		Now: time.Now, Jitter: rand.Float64,
		Embeddings: llm.Embeddings{Endpoint: f.embeddings, Model: f.embeddingsModel}, Own: own.Judge(),
	}
	if cfg.Embeddings.Key, err = keyOf("--embeddings-key-file", f.embeddingsKeyFile); err != nil {
		return nil, nil, err
	}
	if f.redact {
		if cfg.Redact, err = redact.New(nil); err != nil {
			return nil, nil, err
		}
	}
	for _, text := range f.allow {
		n, err := webhooks.ParseNetwork(text)
		if err != nil {
			return nil, nil, fmt.Errorf("--allow %q: %w", text, err)
		}
		cfg.Allow = append(cfg.Allow, n)
	}
	tally := &callTally{errs: errs}
	cfg.Record = tally.add
	j, err := llm.New(cfg)
	if err != nil {
		return nil, nil, errors.New("--" + explain(err))
	}
	if f.calls != "" {
		if tally.file, err = os.OpenFile(f.calls, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err != nil {
			return nil, nil, failure{fmt.Errorf("--calls: %w", err)}
		}
	}
	return j, tally, nil
}

// keyOf reads the key in the file that a flag names, "" if it names none.
func keyOf(flag, file string) (string, error) {
	key, err := secretFile(flag, file)
	if err == nil && strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		err = fmt.Errorf("%s %s holds something else than one key: write it as one line, "+
			"without spaces or a byte order mark", flag, file)
	}
	return key, err
}

// atOnce is how many rows are judged at a time.
func (f *modelFlags) atOnce(j judge.Judge) int {
	if _, asks := j.(*llm.Judge); asks {
		return max(1, f.parallel)
	}
	return 2 * runtime.GOMAXPROCS(0)
}

// callTally adds up calls and writes each to a file, if there is one.
type callTally struct {
	errs io.Writer
	file *os.File

	mu                   sync.Mutex
	sum                  llm.Call
	calls, failed, apart int
	fault                string // of the endpoint, the last one; "" if none
	unfound              int    // questions whose passages BM25 alone found, since the embeddings failed
	unfoundFault         string
	err                  error
}

func (t *callTally) add(c llm.Call) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls++
	t.sum.Tries += c.Tries
	t.sum.TokensIn += c.TokensIn
	t.sum.TokensOut += c.TokensOut
	t.sum.Cost += c.Cost
	t.sum.Violations += c.Violations
	t.sum.Addressing += c.Addressing
	if c.Fault != "" {
		t.failed++
		if c.Fault != "answer" { // what a model says wrongly is not the endpoint's fault
			t.fault = c.Fault
		}
	}
	t.sum.EmbeddingsTries += c.EmbeddingsTries
	t.sum.EmbeddingsTokens += c.EmbeddingsTokens
	if c.EmbeddingsFault != "" {
		t.unfound++
		t.unfoundFault = c.EmbeddingsFault
	}
	if c.Disagree {
		t.apart++
	}
	if t.file != nil && t.err == nil {
		t.err = json.NewEncoder(t.file).Encode(c)
	}
}

// end closes the records, tells of the calls, and fails if no row was judged for a fault of the endpoint.
func (t *callTally) end(judged int) error {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	fmt.Fprintf(t.errs, "judge: questions %d in %d tries, failed %d, tokens %d in and %d out, cost %.4f, "+
		"unknown ids %d, ids of sentences that speak to the judge %d, judges disagree %d\n",
		t.calls, t.sum.Tries, t.failed, t.sum.TokensIn, t.sum.TokensOut, t.sum.Cost,
		t.sum.Violations, t.sum.Addressing, t.apart)
	if t.sum.EmbeddingsTries > 0 || t.unfound > 0 {
		fmt.Fprintf(t.errs, "judge: embeddings in %d tries, tokens %d; without them, by BM25 alone, %d questions",
			t.sum.EmbeddingsTries, t.sum.EmbeddingsTokens, t.unfound)
		if t.unfound > 0 {
			fmt.Fprintf(t.errs, " (%s)", t.unfoundFault)
		}
		fmt.Fprintln(t.errs)
	}
	if t.file != nil {
		t.err = errors.Join(t.err, t.file.Close())
	}
	if judged == 0 && t.fault != "" {
		t.err = errors.Join(t.err, fmt.Errorf("no row could be judged, since the endpoint failed (%s); "+
			"the rows' lines say why", t.fault))
	}
	return t.err
}
