package ledger

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/job"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/exporters"
	"sanad/internal/handlers/web"
)

// apiRunRow is one judge run of a session.
type apiRunRow struct {
	Number       int               `json:"run"`
	ID           string            `json:"run_id"`
	Newest       bool              `json:"newest"`
	Judge        string            `json:"judge"`
	Version      string            `json:"version"`
	Parameters   map[string]string `json:"parameters"`
	InputDigest  string            `json:"input_digest"`
	BundleID     string            `json:"bundle_id"` // of the bundle that it read and nothing else, "" if the documents
	At           string            `json:"at"`
	DurationMS   int64             `json:"duration_ms"`
	Changed      int               `json:"changed_claims"`
	Flips        int               `json:"verdict_flips"`
	StaleReviews int               `json:"stale_reviews"`
}

func newAPIRunRow(r ledger.RunRow) apiRunRow {
	parameters := r.Run.Parameters
	if parameters == nil {
		parameters = map[string]string{}
	}
	return apiRunRow{Number: r.Number, ID: r.Run.ID, Newest: r.Newest, Judge: r.Run.Judge, Version: r.Run.Version,
		Parameters: parameters, InputDigest: r.Run.InputDigest,
		BundleID: r.Run.BundleID, At: web.FormatTime(r.Run.At),
		DurationMS: r.Run.Duration.Milliseconds(), Changed: r.Changed, Flips: r.Flips, StaleReviews: r.Stale}
}

// apiJudged answers POST …/judge.
type apiJudged struct {
	Run       apiRunRow `json:"run"`
	Revision  int       `json:"revision"`
	LedgerURL string    `json:"ledger_url"`
}

func newAPIJudged(d *db.Judged, reader string) apiJudged {
	s := d.Ledger.Session
	return apiJudged{newAPIRunRow(d.Row()), s.RevisionFor(reader), "/api/v1/sessions/" + s.ID + "/ledger"}
}

// apiJudge judges a session again: 200 with the run and counts of what it changed, under the new ETag; 202 with a job
// if the session is large, or a judge over the network is asked.
func (s *server) apiJudge(c echo.Context) (web.Reply, error) {
	var in judgeInput
	if err := web.DecodeIfAny(c, &in); err != nil {
		return web.Reply{}, err
	}
	ctx, id := c.Request().Context(), c.Param("id")
	loaded, check, err := s.unchanged(c, s.Store.SessionFor)
	if err != nil {
		return web.Reply{}, err
	}
	rejudge := app.RejudgeInput(in)
	if err := rejudge.Check(ctx, s.Store, s.Who(c).Tenant); err != nil {
		return web.Reply{}, err
	}
	if rejudge.AsksModel() || s.embedded.NeedsJob(loaded) {
		return s.apiQueueRejudge(c, loaded, rejudge)
	}
	var out web.Reply
	req := db.JudgeRequest{SessionID: id, BundleID: in.BundleID, ReceiptKey: web.ReceiptKey(c)}
	_, err = s.rejudger(c).Rejudge(ctx, loaded, req, rejudge, check, func(d *db.Judged) (*db.Receipt, error) {
		out = web.Reply{Status: http.StatusOK, Body: newAPIJudged(d, s.Who(c).ID), Headers: web.LedgerTag(c, d.Ledger.Session)}
		return out.Receipt(c)
	})
	return out, err
}

// apiJudgeEstimate is what a run by an endpoint is expected to ask and to cost.
type apiJudgeEstimate struct {
	EndpointID string               `json:"endpoint_id"`
	Scope      judge.Scope          `json:"scope"`
	Claims     int                  `json:"claims"`
	Asked      int                  `json:"asked"`
	Reasons    map[judge.Reason]int `json:"reasons"`
	TokensIn   int64                `json:"tokens_in"`
	TokensOut  int64                `json:"tokens_out"`
	Cost       int64                `json:"cost_millionths"`
	Stored     bool                 `json:"by_stored_verdicts"`
	Known      int                  `json:"known_answers"`
	Vectors    *apiVectorEstimate   `json:"embeddings,omitempty"`
}

// apiVectorEstimate is what the endpoint of embeddings is expected to be asked by a run.
type apiVectorEstimate struct {
	EndpointID string `json:"endpoint_id"`
	Endpoint   string `json:"endpoint"`
	Tokens     int64  `json:"tokens"`
	Cost       int64  `json:"cost_millionths"`
}

// apiEstimateJudge estimates a run by an endpoint.
func (s *server) apiEstimateJudge(c echo.Context) error {
	ctx := c.Request().Context()
	in := app.RejudgeInput{Judge: c.QueryParam("judge"), Scope: c.QueryParam("scope")}
	loaded, err := s.Store.SessionFor(ctx, s.Who(c), c.Param("id"))
	if err != nil {
		return err
	}
	if !in.AsksModel() {
		return web.WithStatus(http.StatusBadRequest,
			domain.Refuse(domain.Invalid, "judge", "refused_id_name_endpoint"))
	}
	err = in.Check(ctx, s.Store, s.Who(c).Tenant)
	if err != nil && domain.KindOf(err) == domain.Invalid {
		return web.WithStatus(http.StatusBadRequest, err)
	}
	if err != nil {
		return err
	}
	e, err := app.JudgeEndpoint(ctx, s.Store, s.Who(c).Tenant, in.Judge)
	if err != nil {
		return err
	}
	x, err := app.EstimateModel(ctx, s.Store, s.embedded, s.Who(c).Tenant, loaded, &e, judge.Scope(in.Scope), s.Now())
	if err != nil {
		return err
	}
	out := apiJudgeEstimate{
		EndpointID: e.ID, Scope: judge.Scope(in.Scope), Claims: x.Claims, Asked: x.Asked, Reasons: x.Reasons, TokensIn: x.TokensIn,
		TokensOut: x.TokensOut, Cost: x.Cost, Stored: x.Stored, Known: x.Known,
	}
	if v := x.Vectors; v != nil {
		out.Vectors = &apiVectorEstimate{EndpointID: v.EndpointID, Endpoint: v.Endpoint, Tokens: v.Tokens, Cost: v.Cost}
	}
	return web.SendJSON(c, http.StatusOK, out)
}

// apiQueueRejudge answers 202 with the job that judges a large session. The same request for the same revision is the
// same job.
func (s *server) apiQueueRejudge(c echo.Context, loaded *ledger.Session, in app.RejudgeInput) (web.Reply, error) {
	answered := func(j job.Job) (*db.Receipt, error) { return jobAccepted(j).Receipt(c) }
	work, _, err := app.QueueRejudge(c.Request().Context(), s.Store, s.Who(c), loaded, in, answered)
	return jobAccepted(work), err
}

// apiListRuns lists the runs of a session, the newest first.
func (s *server) apiListRuns(c echo.Context) error {
	limit, err := web.ListLimit(c)
	if err != nil {
		return err
	}
	before, err := web.NumberAfter(c)
	if err != nil {
		return err
	}
	rows, next, err := s.Store.Runs(c.Request().Context(), s.Who(c).Tenant, c.Param("id"), before, limit)
	if err != nil {
		return err
	}
	return web.SendPage(c, "runs", web.Map(rows, newAPIRunRow), nextNumber(next))
}

// apiRunClaim is a claim as a run judged it.
type apiRunClaim struct {
	Number     int                   `json:"number"`
	ClaimID    string                `json:"claim_id"`
	Verdict    *ledger.Verdict       `json:"machine_verdict"`
	Confidence float64               `json:"confidence_score"`
	Judge      string                `json:"judge"`
	Unjudged   string                `json:"unjudged"`
	Matches    []exporters.MatchView `json:"matches"`
}

// apiShowRun returns the judgement of one run, current or earlier, paged by claim.
func (s *server) apiShowRun(c echo.Context) error {
	n, after, limit, err := runPage(c)
	if err != nil {
		return err
	}
	claims, of, next, err := s.Store.RunClaims(c.Request().Context(), s.Who(c).Tenant, c.Param("id"), n, after-1, limit)
	if err != nil {
		return err
	}
	out := web.Map(claims, func(x db.RunClaim) apiRunClaim {
		return apiRunClaim{Number: x.Position + 1, ClaimID: x.Key, Verdict: web.OrNull(x.Verdict),
			Confidence: x.Confidence, Judge: x.Judge, Unjudged: x.Unjudged,
			Matches: web.Map(x.Matches,
				func(m ledger.Match) exporters.MatchView { return exporters.APIMatch(&m, of) })}
	})
	return web.SendPage(c, "claims", out, nextNumber(next+1))
}

// apiChange is what a run changed about one claim.
type apiChange struct {
	Number         int             `json:"number"`
	ClaimID        string          `json:"claim_id"`
	From           *ledger.Verdict `json:"from_verdict"`
	To             *ledger.Verdict `json:"to_verdict"`
	FromConfidence float64         `json:"from_confidence"`
	ToConfidence   float64         `json:"to_confidence"`
	Gained         []apiStance     `json:"evidence_gained"`
	Lost           []apiStance     `json:"evidence_lost"`
	StaleReviews   int             `json:"stale_reviews"`
}

// apiStance is a passage and whether it speaks for or against a claim.
type apiStance struct {
	DocumentID  string         `json:"document_id"` // the caller's
	Filename    string         `json:"filename"`
	Position    int            `json:"position"`   // of the chunk in its document, from 0
	ChunkHash   string         `json:"chunk_hash"` // as the matches of a run's claims name it
	Page        int            `json:"page_number,omitempty"`
	Support     ledger.Support `json:"support_level"`
	Contradicts bool           `json:"contradicts"`
	Withdrawn   bool           `json:"withdrawn"`
}

// apiShowRunChanges returns what a run changed compared with the one before it, paged by claim.
func (s *server) apiShowRunChanges(c echo.Context) error {
	n, after, limit, err := runPage(c)
	if err != nil {
		return err
	}
	p, err := s.Store.RunPage(c.Request().Context(), s.Who(c).Tenant, c.Param("id"), n, after-1, limit)
	if err != nil {
		return err
	}
	documents := ledger.Session{Documents: p.Documents}
	stances := func(list []ledger.Stance) []apiStance {
		return web.Map(list, func(x ledger.Stance) apiStance {
			d := documents.Document(x.Chunk.Document)
			return apiStance{
				DocumentID: d.Key, Filename: d.Filename, Position: x.Chunk.Chunk, ChunkHash: p.Hashes[x.Chunk],
				Page: p.Pages[x.Chunk], Support: x.Support, Contradicts: x.Contradicts,
				Withdrawn: !d.Citable(),
			}
		})
	}
	out := web.Map(p.Changes, func(x ledger.RunChange) apiChange {
		return apiChange{
			Number: x.Position + 1, ClaimID: x.Key, From: web.OrNull(x.From), To: web.OrNull(x.To),
			FromConfidence: x.FromConfidence, ToConfidence: x.ToConfidence, Gained: stances(x.Gained),
			Lost: stances(x.Lost), StaleReviews: x.Stale,
		}
	})
	return web.SendPage(c, "changes", out, nextNumber(p.Next+1))
}

// runPage reads the number of a run and the page of it: after is the number of the last claim on the page before.
func runPage(c echo.Context) (n, after, limit int, err error) {
	if n, err = strconv.Atoi(c.Param("n")); err != nil || n < 1 {
		return 0, 0, 0, web.NotFound()
	}
	if after, err = web.NumberAfter(c); err != nil {
		return 0, 0, 0, err
	}
	limit, err = web.ListLimit(c)
	return n, after, limit, err
}

func nextNumber(n int) string {
	if n < 1 {
		return ""
	}
	return fmt.Sprint(n)
}
