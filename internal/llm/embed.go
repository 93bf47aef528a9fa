package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/redact"
	"sanad/internal/words"
)

// Embeddings names an endpoint of the shape /v1/embeddings, which helps to find the passages that a question shows.
type Embeddings struct {
	Endpoint string // base address, as https://models.example/v1; none if ""
	Model    string
	Key      string        // of its own, "" for none
	Timeout  time.Duration // of one try; 0 for the judge's
	Parallel int           // requests at a time; 0 for no bound
	// Final says that nothing is asked there any more once a request has failed; otherwise nothing is for a minute.
	Final bool
	// Spend is called before each request with its expected tokens. It returns a function to call with the request once it
	// has ended, or an error, whose words are shown, if nothing may be spent. Nil for no bound.
	Spend func(ctx context.Context, tokens int) (ended func(Call), err error)
}

// Bounds of embeddings.
const (
	maxTexts     = 32       // in one request
	maxTextRunes = 4_000    // of a text that is embedded; what is longer is cut
	maxPassages  = 4_096    // of a session; with more, BM25 alone finds
	maxNearest   = 20       // places of the ranking
	maxVectors   = 96 << 20 // bytes of vectors that are kept
	maxDimension = 8_192
	embedAnswer  = 16 << 20    // bytes of one answer
	embedTries   = 4           // of one request: BM25 finds without it
	embedRest    = time.Minute // how long nothing is asked after a fault
)

// embedder ranks passages by what an embeddings endpoint makes of them and the claim. Each passage is asked about
// once as long as its vector is kept; several goroutines use it at once.
type embedder struct {
	client client
	of     Embeddings
	redact *redact.Redactor
	slots  chan struct{} // held by a request; nil for no bound

	mu    sync.Mutex
	kept  map[string]*vector // by text
	order []string           // of the passages in kept, the oldest first
	bytes int
	until time.Time // nothing is asked before
	fault *fault    // that makes it rest

	shown struct { // of the index that was seen last
		index *judge.Index
		cover *redact.Cover
		texts []string
	}
}

// vector is a text's, of length 1; done is closed when it is known whether there is one.
type vector struct {
	done   chan struct{}
	values []float32
	fault  *fault
}

// EstimateEmbeddings estimates the tokens of the vectors of claims and of all passages that they are judged by.
func EstimateEmbeddings(claims []string, x *judge.Index) (tokens int) {
	if x.Len() > maxPassages { // nothing is sent
		return 0
	}
	for _, c := range claims {
		tokens += EstimateTokens(cut(c, maxTextRunes))
	}
	for i := range x.Len() {
		tokens += EstimateTokens(cut(x.PassageText(i), maxTextRunes))
	}
	return tokens
}

// newEmbedder returns nil where no endpoint is named.
func newEmbedder(c Config) (*embedder, error) {
	if c.Embeddings.Endpoint == "" {
		return nil, nil
	}
	c.Kind, c.Endpoint, c.Model, c.Key = OpenAI, c.Embeddings.Endpoint, c.Embeddings.Model, c.Embeddings.Key
	c.MaxAnswer, c.Tries, c.MaxWait = embedAnswer, min(c.Tries, embedTries), min(c.MaxWait, time.Minute)
	c.Failed = func(domain.Message) {} // BM25 finds without it
	c.Timeout = cmp.Or(c.Embeddings.Timeout, c.Timeout)
	u, err := c.check()
	if wrong := (*domain.Error)(nil); errors.As(err, &wrong) { // the same settings have other names here
		wrong.Path = map[string]string{"endpoint": "embeddings", "model": "embeddings-model"}[wrong.Path]
	}
	if err != nil {
		return nil, err
	}
	e := &embedder{of: c.Embeddings, redact: c.Redact, kept: map[string]*vector{}}
	if c.Embeddings.Parallel > 0 {
		e.slots = make(chan struct{}, c.Embeddings.Parallel)
	}
	e.client = client{cfg: c, url: u}
	e.client.http = newHTTP(&e.client.cfg, u)
	return e, nil
}

// rank returns the places of the passages that are nearest to a claim, best first. A fault means that BM25 alone finds.
func (e *embedder) rank(ctx context.Context, c *ledger.Claim, x *judge.Index, call *Call) ([]int, *fault) {
	if x.Len() > maxPassages {
		return nil, &fault{code: "passages", said: words.Msg("cause_vectors_passages")}
	}
	vectors, f := e.vectors(ctx, e.texts(x.Stated(c), x), call)
	if f != nil {
		return nil, f
	}
	type near struct {
		place  int
		cosine float64
	}
	var all []near
	for i, v := range vectors[1:] {
		if len(v) != len(vectors[0]) {
			return nil, malformed(nil)
		}
		sum := 0.0
		for k := range v {
			sum += float64(v[k]) * float64(vectors[0][k])
		}
		all = append(all, near{i, sum})
	}
	slices.SortFunc(all, func(a, b near) int {
		return cmp.Or(cmp.Compare(b.cosine, a.cosine), cmp.Compare(a.place, b.place))
	})
	var out []int
	for _, n := range all[:min(maxNearest, len(all))] {
		out = append(out, n.place)
	}
	return out, nil
}

// texts are the claim and the passages as they are sent: covered, if that is asked for, and cut.
func (e *embedder) texts(claim string, x *judge.Index) []string {
	out := make([]string, 0, 1+x.Len())
	if e.redact == nil {
		out = append(out, claim)
		for i := range x.Len() {
			out = append(out, x.PassageText(i))
		}
	} else {
		cover, texts := e.covered(x)
		more := cover.With(claim)
		if out = append(out, more.Text(claim)); more == cover {
			out = append(out, texts...)
		} else { // the claim tells of a value that the passages may hold too
			for i := range x.Len() {
				out = append(out, more.Text(x.PassageText(i)))
			}
		}
	}
	for i := range out {
		out[i] = cut(out[i], maxTextRunes)
	}
	return out
}

// covered returns the passages of an index covered; those of the index seen last are kept.
func (e *embedder) covered(x *judge.Index) (*redact.Cover, []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.shown.index != x {
		texts := make([]string, x.Len())
		for i := range texts {
			texts[i] = x.PassageText(i)
		}
		e.shown.index, e.shown.cover = x, e.redact.Cover(texts...)
		for i := range texts {
			texts[i] = e.shown.cover.Text(texts[i])
		}
		e.shown.texts = texts
	}
	return e.shown.cover, e.shown.texts
}

// vectors returns the vector of each text, the first of which is the claim. Those that nobody asked about yet are asked
// about here, in batches; for those that another goroutine asks about, it waits.
func (e *embedder) vectors(ctx context.Context, texts []string, call *Call) ([][]float32, *fault) {
	own, mine, f := e.claim(texts)
	if f != nil {
		return nil, f
	}
	for part := range slices.Chunk(mine, maxTexts) {
		if f == nil {
			f = e.embed(ctx, part, own, call)
		}
		if f != nil {
			e.drop(part, own, f)
		} else if size := len(own[part[0]].values); 4*size*len(texts) > maxVectors {
			f = &fault{code: "memory", said: words.Msg("cause_vectors_memory")}
		}
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		if f != nil {
			break
		}
		select {
		case <-own[text].done:
			out[i], f = own[text].values, own[text].fault
		case <-ctx.Done():
			f = ofConnection(ctx.Err())
		}
	}
	if alone := !slices.Contains(texts[1:], texts[0]); alone {
		e.shrink(texts[0], len(mine))
	} else { // the claim is a passage too
		e.shrink("", len(mine))
	}
	return out, f
}

// claim returns the vectors of texts, and which of them the caller has to ask about.
func (e *embedder) claim(texts []string) (all map[string]*vector, mine []string, f *fault) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if f := e.resting(); f != nil {
		return nil, nil, f
	}
	all = make(map[string]*vector, len(texts))
	add := func(text string, passage bool) {
		v := e.kept[text]
		if v == nil {
			v = &vector{done: make(chan struct{})}
			if e.kept[text], mine = v, append(mine, text); passage {
				e.order = append(e.order, text)
			}
		}
		all[text] = v
	}
	for _, text := range texts[1:] {
		add(text, true)
	}
	add(texts[0], false)
	return all, mine, nil
}

// resting is the fault after which nothing is asked just now, nil if none. The caller holds mu.
func (e *embedder) resting() *fault {
	if e.fault != nil && (e.of.Final || e.client.cfg.Now().Before(e.until)) {
		return e.fault
	}
	return nil
}

// embed asks about some texts.
func (e *embedder) embed(ctx context.Context, texts []string, all map[string]*vector, call *Call) *fault {
	var found [][]float32
	body := map[string]any{"model": e.client.cfg.Model, "input": texts, "encoding_format": "float"}
	var asked Call // what it took is counted apart from the question's own tries
	f := e.spending(ctx, texts, &asked, func(ctx context.Context) *fault {
		ctx, cancel := context.WithTimeout(ctx, 2*e.client.cfg.Timeout) // all tries together: others wait for these vectors
		defer cancel()
		return e.client.post(ctx, e.client.url.JoinPath("embeddings").String(), body, &asked, new(int), func(raw []byte) (f *fault) {
			found, f = readEmbeddings(raw, len(texts), &asked)
			return f
		})
	})
	call.EmbeddingsTries += asked.Tries
	call.EmbeddingsTokens += asked.TokensIn
	if f != nil {
		return f
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, text := range texts {
		all[text].values = found[i]
		e.bytes += 4 * len(found[i])
		close(all[text].done)
	}
	return nil
}

// spending sends a request when it is its turn and may be spent on, and tells what became of it.
func (e *embedder) spending(ctx context.Context, texts []string, asked *Call, send func(context.Context) *fault) *fault {
	if e.slots != nil {
		select {
		case e.slots <- struct{}{}:
			defer func() { <-e.slots }()
		case <-ctx.Done():
			return ofConnection(ctx.Err())
		}
	}
	e.mu.Lock()
	f := e.resting() // since it waited for its turn
	e.mu.Unlock()
	if f != nil {
		return f
	}
	expected := 0
	for _, text := range texts {
		expected += EstimateTokens(text)
	}
	ended := func(Call) {}
	if e.of.Spend != nil {
		var err error
		if ended, err = e.of.Spend(ctx, expected); err != nil {
			return notSpent(ctx, err)
		}
	}
	begun := e.client.cfg.Now()
	asked.Model = e.of.Model
	f = send(ctx)
	asked.Latency = e.client.cfg.Now().Sub(begun)
	switch {
	case f != nil:
		asked.Fault = f.code
	case asked.TokensIn == 0: // the endpoint does not count
		asked.TokensIn = expected
	}
	ended(*asked)
	return f
}

// drop gives texts up whose vectors did not come. After a fault that is not the asker's own doing, nothing is asked
// for a while, so that a run goes on without waiting for each claim again.
func (e *embedder) drop(texts []string, all map[string]*vector, f *fault) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, text := range texts {
		all[text].fault = f
		close(all[text].done)
		delete(e.kept, text)
	}
	e.order = slices.DeleteFunc(e.order, func(text string) bool { return e.kept[text] == nil })
	if f.code != "cancelled" {
		e.fault, e.until = f, e.client.cfg.Now().Add(embedRest)
	}
}

// shrink forgets the claim's vector, which is seldom wanted again, and the oldest beyond what may be kept, but none
// of the newest few, which were just made.
func (e *embedder) shrink(claim string, newest int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.forget(claim)
	for i := 0; e.bytes > maxVectors && i < len(e.order)-newest; {
		if e.forget(e.order[i]) {
			e.order = slices.Delete(e.order, i, i+1)
		} else {
			i++
		}
	}
}

// forget reports whether a vector is not kept any more: it is while somebody asks about it.
func (e *embedder) forget(text string) bool {
	v := e.kept[text]
	if v == nil {
		return true
	}
	select {
	case <-v.done:
		e.bytes -= 4 * len(v.values)
		delete(e.kept, text)
		return true
	default:
		return false
	}
}

// readEmbeddings reads the vectors of n texts and makes each of length 1.
func readEmbeddings(raw []byte, n int, call *Call) ([][]float32, *fault) {
	var w struct {
		Error wireError `json:"error"`
		Data  []struct {
			Index     int       `json:"index"`
			Embedding []float64 `json:"embedding"`
		} `json:"data"`
		Usage struct {
			In int `json:"prompt_tokens"`
		} `json:"usage"`
	}
	if err := json.Unmarshal(raw, &w); err != nil {
		return nil, malformed(err)
	}
	call.TokensIn += max(w.Usage.In, 0)
	if w.Error.stands() {
		return nil, inside(string(w.Error))
	}
	if len(w.Data) != n {
		return nil, malformed(nil)
	}
	out := make([][]float32, n)
	for _, d := range w.Data {
		size := len(d.Embedding)
		if d.Index < 0 || d.Index >= n || out[d.Index] != nil || size == 0 || size > maxDimension ||
			size != len(w.Data[0].Embedding) {
			return nil, malformed(nil)
		}
		sum := 0.0
		for _, x := range d.Embedding {
			sum += x * x
		}
		length := math.Sqrt(sum)
		if !(length > 0) || math.IsInf(length, 0) {
			return nil, malformed(nil)
		}
		out[d.Index] = make([]float32, size)
		for k, x := range d.Embedding {
			out[d.Index][k] = float32(x / length)
		}
	}
	return out, nil
}

// cut returns the first n code points of a text.
func cut(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	at := 0
	for i := range s {
		if at++; at > n {
			return s[:i]
		}
	}
	return s
}
