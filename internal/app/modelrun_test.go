package app

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/job"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/model"
	"sanad/internal/llm/llmtest"
)

// TestCascade asks a model about what the embedded judge is not sure of, and nothing else.
func TestCascade(t *testing.T) {
	a := newAsking(t, foreign(3), nil)
	require.Contains(t, a.loaded(t).Claims[0].Unjudged, "different languages")
	estimate, err := EstimateModel(a.ctx, a.store, nil, a.actor.Tenant, a.loaded(t), &a.endpoint, judge.Rest, testTime)
	require.NoError(t, err)
	require.Equal(t, 3, estimate.Asked)
	require.Equal(t, map[judge.Reason]int{judge.OtherLanguage: 3}, estimate.Reasons)
	require.Positive(t, estimate.TokensIn)
	require.Equal(t, estimate.TokensIn+estimate.TokensOut, estimate.Cost, "a price of one for each token")
	require.Zero(t, a.server.Requests(), "an estimate sends nothing")

	j := a.do(t, a.queue(t, judge.Rest))
	require.Equal(t, job.Done, j.State)
	s := a.loaded(t)
	for i := range s.Claims {
		require.Empty(t, s.Claims[i].Unjudged)
		require.Equal(t, "openai", s.Claims[i].Judge)
		require.Contains(t, s.Claims[i].Matches[0].Note, "Model says: supported")
	}
	require.Equal(t, "lexical+openai", s.Run.Judge)
	require.Equal(t, "small-1/2", s.Run.Version)
	for name, want := range map[string]string{"scope": "rest", "endpoint": "Small", "endpoint_id": a.endpoint.ID, "asked": "3",
		"model": "small-1", "tokens_in": "300", "tokens_out": "30", "cost_millionths": "330"} {
		require.Equal(t, want, s.Run.Parameters[name], name)
	}
	require.Equal(t, []string{"Bearer sk-1"}, a.server.Keys())
	require.Equal(t, model.Spending{Calls: 3, TokensIn: 300, TokensOut: 30, Cost: 330}, a.spent(t))

	// the same run again asks nothing: its answers are known
	require.Equal(t, job.Done, a.do(t, a.queue(t, judge.Rest)).State)
	require.Equal(t, 3, a.server.Requests())
	require.Equal(t, "3", a.loaded(t).Run.Parameters["known_answers"])
	estimate, err = EstimateModel(a.ctx, a.store, nil, a.actor.Tenant, a.loaded(t), &a.endpoint, judge.Every, testTime)
	require.NoError(t, err)
	require.Equal(t, 3, estimate.Known, "and the estimate says so")
	require.Zero(t, estimate.Cost)

	// in the same language the embedded judge is sure of some
	sure := `{"claim_id":"sure","claim_text":"All permanent employees shall receive 15 days of paid annual leave","importance":"material"},`
	b := newAsking(t, strings.Replace(session(3), `"claims":[`, `"claims":[`+sure, 1), nil)
	require.Equal(t, job.Done, b.do(t, b.queue(t, judge.Rest)).State)
	require.Equal(t, 3, b.server.Requests(), "those about numbers matter most")
	require.Equal(t, "lexical", b.loaded(t).Claims[0].Judge, "it is supported word for word")
	require.Equal(t, job.Done, b.do(t, b.queue(t, judge.Every)).State)
	require.Equal(t, 4, b.server.Requests(), "all, but none twice")
	require.Equal(t, "openai", b.loaded(t).Run.Judge)
}

// TestRedactedQuestions shows an endpoint that asks for it nobody's address.
func TestRedactedQuestions(t *testing.T) {
	a := newAsking(t, strings.ReplaceAll(foreign(1), "grade 0", "sara@ministry.example"), func(e *model.Endpoint) { e.Redact = true })
	seen := make(chan string, 9)
	a.server.Say = func(q llmtest.Question) string { seen <- q.Text; return q.First("supported") }
	require.Equal(t, job.Done, a.do(t, a.queue(t, judge.Rest)).State)
	require.NotContains(t, <-seen, "ministry.example")
	require.NotEmpty(t, a.loaded(t).Run.Parameters["redaction"])
}

// TestEmbeddingsOfSessions asks the tenant's endpoint of vectors with its own key, and no disabled one. Words are
// covered where either endpoint is to see none that name a person.
func TestEmbeddingsOfSessions(t *testing.T) {
	a := newAsking(t, strings.ReplaceAll(foreign(1), "grade 0", "sara@ministry.example"), nil)
	a.server.Say = func(q llmtest.Question) string { return q.First("supported") }
	asked := make(chan string, 99)
	vectors := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked <- r.URL.Path + " " + r.Header.Get("Authorization") + " " + string(body)
		var in struct {
			Input []string `json:"input"`
		}
		_ = json.Unmarshal(body, &in)
		var data []string
		for i := range in.Input {
			data = append(data, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":[1,%d]}`, i, i))
		}
		fmt.Fprintf(w, `{"object":"list","model":"bge","data":[%s]}`, strings.Join(data, ","))
	}))
	defer vectors.Close()
	e, err := a.store.AddModelEndpoint(a.ctx, a.actor, model.Endpoint{
		Name: "Near", Kind: model.Embeddings, URL: vectors.URL + "/v1", Model: "bge", Parallel: 1, Timeout: time.Minute,
		Redact: true,
	}, "sk-near")
	require.NoError(t, err)
	require.Equal(t, job.Done, a.do(t, a.queue(t, judge.Rest)).State)
	require.NotEmpty(t, asked)
	for len(asked) > 0 {
		one := <-asked
		require.Contains(t, one, "/v1/embeddings Bearer sk-near")
		require.NotContains(t, one, "ministry.example")
	}
	require.NotEmpty(t, a.loaded(t).Claims[0].Matches)

	_, err = a.store.ChangeModelEndpoint(a.ctx, a.actor, e.ID, e.Revision, nil, func(e *model.Endpoint) error {
		e.Enabled = false
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, job.Done, a.do(t, a.queue(t, judge.Every)).State)
	require.Empty(t, asked)
}

// embeddings adds an endpoint of embeddings that answers as serve does.
func (a *asking) embeddings(t *testing.T, change func(*model.Endpoint), serve http.HandlerFunc) model.Endpoint {
	t.Helper()
	server := httptest.NewServer(serve)
	t.Cleanup(server.Close)
	e := model.Endpoint{Name: "Near", Kind: model.Embeddings, URL: server.URL + "/v1", Model: "bge", Parallel: 2,
		Timeout: time.Minute, Price: model.Price{In: 2_000_000}}
	if change != nil {
		change(&e)
	}
	e, err := a.store.AddModelEndpoint(a.ctx, a.actor, e, "sk-near")
	require.NoError(t, err)
	return e
}

// answerVectors answers a request for vectors, each text with 7 tokens.
func answerVectors(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Input []string `json:"input"`
	}
	_ = json.NewDecoder(r.Body).Decode(&in)
	var data []string
	for i := range in.Input {
		data = append(data, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":[1,%d]}`, i, i))
	}
	fmt.Fprintf(w, `{"object":"list","model":"bge","data":[%s],"usage":{"prompt_tokens":%d}}`, strings.Join(data, ","), 7*len(data))
}

// TestEmbeddingsAreSpent: what vectors take is recorded, counts against the budgets of their own endpoint, and is said.
func TestEmbeddingsAreSpent(t *testing.T) {
	a := newAsking(t, foreign(20), nil)
	e := a.embeddings(t, nil, answerVectors)
	estimate, err := EstimateModel(a.ctx, a.store, nil, a.actor.Tenant, a.loaded(t), &a.endpoint, judge.Rest, testTime)
	require.NoError(t, err)
	require.Equal(t, "Near", estimate.Vectors.Endpoint)
	require.Greater(t, estimate.Vectors.Tokens, int64(100))
	require.Less(t, estimate.Vectors.Tokens, int64(300))
	require.Equal(t, 2*estimate.Vectors.Tokens, estimate.Vectors.Cost)
	require.Equal(t, job.Done, a.do(t, a.queue(t, judge.Rest)).State)
	p := a.loaded(t).Run.Parameters
	require.Equal(t, "Near", p["embeddings_endpoint"])
	require.Equal(t, "147", p["embeddings_tokens"], "20 claims and one passage of 7 tokens each")
	require.Equal(t, "294", p["embeddings_cost_millionths"])
	require.Empty(t, p["embeddings_fault"])
	require.Empty(t, p["words_only"])
	require.Equal(t, "20", p["asked"], "of the model")
	require.Equal(t, "2000", p["tokens_in"], "of the model")
	_, today, err := a.store.ModelStanding(a.ctx, a.actor.Tenant, e.ID, testTime)
	require.NoError(t, err)
	require.Equal(t, p["embeddings_asked"], strconv.Itoa(today.Calls))
	require.EqualValues(t, 147, today.Tokens())
	require.EqualValues(t, 294, today.Cost)

	for why, change := range map[string]func(*model.Endpoint){
		"run": func(e *model.Endpoint) { e.Run.Tokens = 100 },
		"day": func(e *model.Endpoint) { e.Day.Cost = 200 },
	} {
		t.Run(why, func(t *testing.T) {
			a := newAsking(t, foreign(20), nil)
			e := a.embeddings(t, change, answerVectors)
			require.Equal(t, job.Done, a.do(t, a.queue(t, judge.Rest)).State)
			s := a.loaded(t)
			p := s.Run.Parameters
			require.Equal(t, "20", p["asked"], "the model is asked all the same")
			require.Equal(t, why, p["embeddings_fault"])
			words, err := strconv.Atoi(p["words_only"])
			require.NoError(t, err)
			require.Greater(t, words, 3)
			_, today, err := a.store.ModelStanding(a.ctx, a.actor.Tenant, e.ID, testTime)
			require.NoError(t, err)
			require.LessOrEqual(t, today.Tokens(), int64(100), "never over the bound")
			require.Positive(t, today.Tokens())
		})
	}
}

// TestBrokenEmbeddings slow no run down: they are given up once, all claims are found by words, and the run says so.
func TestBrokenEmbeddings(t *testing.T) {
	for fault, serve := range map[string]http.HandlerFunc{
		"status 500": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"status 429": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) },
		"status 401": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) },
		"malformed":  func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "{") },
		"timeout": func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // so that it is seen when the asker goes
			<-r.Context().Done()
		},
	} {
		t.Run(fault, func(t *testing.T) {
			a := newAsking(t, foreign(40), nil)
			var n atomic.Int32
			a.embeddings(t, func(e *model.Endpoint) {
				if fault == "timeout" {
					e.Timeout = time.Second
				}
			}, func(w http.ResponseWriter, r *http.Request) { n.Add(1); serve(w, r) })
			require.Equal(t, job.Done, a.do(t, a.queue(t, judge.Rest)).State)
			p := a.loaded(t).Run.Parameters
			require.Equal(t, fault, p["embeddings_fault"])
			require.Equal(t, "40", p["words_only"])
			require.Equal(t, "40", p["asked"])
			require.LessOrEqual(t, int(n.Load()), 2*4, "four tries of what is out at once")
		})
	}
}

// TestCancelledEmbeddings: a run that waits for vectors ends when it is cancelled.
func TestCancelledEmbeddings(t *testing.T) {
	a := newAsking(t, foreign(5), nil)
	asked := make(chan struct{}, 9)
	a.embeddings(t, nil, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // so that it is seen when the asker goes
		asked <- struct{}{}
		<-r.Context().Done()
	})
	work := a.queue(t, judge.Rest)
	defer a.worker().start(a.ctx)()
	<-asked
	_, err := a.store.CancelJob(a.ctx, a.actor, work.ID)
	require.NoError(t, err)
	require.Equal(t, job.Cancelled, a.wait(t, work).State)
	require.Zero(t, a.server.Requests())
}

// TestRejudgeInputOfModels refuses what cannot be asked, naming the field.
func TestRejudgeInputOfModels(t *testing.T) {
	a := newAsking(t, foreign(1), nil)
	for want, in := range map[string]RejudgeInput{
		"judge: There is no such judge": {Judge: "gpt"}, "scope: There is no such scope": {Judge: "Small", Scope: "some"},
		"scope: scope applies to endpoints only": {Judge: "lexical", Scope: "rest"},
	} {
		require.ErrorContains(t, in.Check(a.ctx, a.store, a.actor.Tenant), want)
	}
	_, err := a.store.ChangeModelEndpoint(a.ctx, a.actor, a.endpoint.ID, -1, nil, func(e *model.Endpoint) error {
		e.Enabled = false
		return nil
	})
	require.NoError(t, err)
	require.ErrorContains(t, (&RejudgeInput{Judge: "Small"}).Check(a.ctx, a.store, a.actor.Tenant), "disabled")
	other, err := a.store.EnsureTenant(a.ctx, "other", "Other")
	require.NoError(t, err)
	require.ErrorContains(t, (&RejudgeInput{Judge: a.endpoint.ID}).Check(a.ctx, a.store, other.ID), "There is no such judge")
}

// TestKilledRunAsksNothingTwice kills a worker in the middle of 2,000 claims, as kill -9 would: it neither gives its
// job back nor stores anything more. The next worker finishes; each claim was answered once, and none is lost.
func TestKilledRunAsksNothingTwice(t *testing.T) {
	const claims = 2000
	a := newAsking(t, foreign(claims), nil)
	var reached atomic.Bool
	killed := make(chan struct{})
	a.server.Before = func(n int, r *http.Request) bool {
		if n <= claims/2 || reached.Load() {
			return true
		}
		select { // what is out when the worker dies was not answered
		case <-killed:
			return false
		case <-r.Context().Done():
			return false
		}
	}
	work := a.queue(t, judge.Rest)
	w := a.worker()
	ctx, kill := context.WithCancel(a.ctx)
	first, err := a.store.ClaimJob(ctx, "first", time.Hour, db.PerTenant{Alone: 2, Shared: 2})
	require.NoError(t, err)
	require.Equal(t, work.ID, first.ID)
	running, err := a.store.Job(a.ctx, a.actor.Tenant, work.ID)
	require.NoError(t, err)
	require.Equal(t, job.Judging, running.Step, "there is no upload to read")
	died := make(chan error)
	go func() {
		b := startHeartbeat(ctx, w, first)
		err := w.work(b, first)
		b.stop()
		died <- err // neither ReleaseJob nor FailJob: it is dead
	}()
	require.Eventually(t, func() bool { return a.server.Requests() >= claims/2+a.endpoint.Parallel }, time.Minute, time.Millisecond)
	require.Eventually(t, func() bool { return a.spent(t).Calls >= claims/2 }, time.Minute, time.Millisecond, "what was answered is stored")
	kill()
	require.Error(t, <-died)
	reached.Store(true)
	close(killed)
	answered := len(a.server.Answered())
	require.Equal(t, claims/2, answered)
	kept := a.spent(t)
	require.Equal(t, answered, kept.Calls, "each answer was stored as it came")

	a.later.Store(int64(time.Hour)) // the dead worker has been silent, so its job is taken over
	stop := w.start(a.ctx)
	j := a.wait(t, work)
	stop()
	require.Equal(t, job.Done, j.State)
	once := a.server.Answered()
	require.Len(t, once, claims)
	for claim, n := range once {
		require.Equal(t, 1, n, claim)
	}
	s := a.loaded(t)
	for i := range s.Claims {
		require.Empty(t, s.Claims[i].Unjudged)
	}
	require.Equal(t, strconv.Itoa(claims), s.Run.Parameters["asked"])
	require.Empty(t, s.Run.Parameters["known_answers"], "its own answers are not those of another run")
	require.Positive(t, answered)
	require.Equal(t, claims, a.spent(t).Calls)
}

// TestBudgetsOfRunAndDay stops asking when a bound is used up, and says so of what is left.
func TestBudgetsOfRunAndDay(t *testing.T) {
	for name, change := range map[string]func(*model.Endpoint){
		"run": func(e *model.Endpoint) { e.Run.Tokens = 20 * 1000 },
		"day": func(e *model.Endpoint) { e.Day.Cost = 20 * 1000 },
	} {
		t.Run(name, func(t *testing.T) {
			a := newAsking(t, foreign(400), change)
			require.Equal(t, job.Done, a.do(t, a.queue(t, judge.Rest)).State)
			s, took := a.loaded(t), a.spent(t)
			asked, left := 0, 0
			for i := range s.Claims {
				switch c := &s.Claims[i]; {
				case c.Unjudged == "":
					asked++
				case c.UnjudgedSaid.ID == notAsked[spent(name)]:
					left++
				default:
					t.Fatal(c.Unjudged)
				}
			}
			require.Equal(t, 400, asked+left)
			require.Equal(t, asked, took.Calls)
			require.Positive(t, left)
			require.LessOrEqual(t, took.Tokens(), int64(20*1000), "never over the bound")
			require.Greater(t, took.Tokens(), int64(10*1000), "most of it is used")
			require.Equal(t, name, s.Run.Parameters["used_up"])
			require.Equal(t, strconv.Itoa(left), s.Run.Parameters["left"])
		})
	}
}

// said receives the lines of a log.
type said chan string

func (s said) Write(line []byte) (int, error) {
	s <- string(line)
	return len(line), nil
}

// TestCancelledRun ends soon, keeps what was answered, and leaves the ledger as it was.
func TestCancelledRun(t *testing.T) {
	a := newAsking(t, foreign(500), nil)
	a.server.Latency = 20 * time.Millisecond
	work := a.queue(t, judge.Rest)
	w, log := a.worker(), make(said, 100)
	w.Log = slog.New(slog.NewTextHandler(log, nil))
	defer w.start(a.ctx)()
	require.Eventually(t, func() bool { return a.server.Requests() > 50 }, time.Minute, time.Millisecond)
	_, err := a.store.CancelJob(a.ctx, a.actor, work.ID)
	require.NoError(t, err)
	for !strings.Contains(<-log, "job left: it was cancelled") {
		continue
	}
	require.Less(t, a.server.Requests(), 500, "nothing is asked after it was cancelled")
	require.Contains(t, a.loaded(t).Claims[0].Unjudged, "different languages")
	require.GreaterOrEqual(t, a.spent(t).Calls, 50-a.endpoint.Parallel)
}
