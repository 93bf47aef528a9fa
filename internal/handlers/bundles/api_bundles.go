package bundles

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/bundle"
	"sanad/internal/handlers/web"
	"sanad/internal/importers"
	"sanad/internal/words"
)

// apiCreateBundle builds an evidence bundle (rule B-1): 201 with its artifact, or 200 if the same bundle exists. The
// artifact records what could not be read or did not fit.
func (s *server) apiCreateBundle(c echo.Context) (web.Reply, error) {
	data, err := web.Body(c, importers.MaxBundleRequest+1)
	if err != nil {
		return web.Reply{}, err
	}
	req, err := importers.ReadBundleRequest(data)
	if err != nil {
		return web.Reply{}, web.BadRequest(err)
	}
	artifact, b, created, err := s.buildBundle(c.Request().Context(), s.Who(c), req)
	if err != nil {
		return web.Reply{}, err
	}
	return web.Reply{
		Status: web.CreatedOr200(created), Body: json.RawMessage(artifact),
		Headers: map[string]string{"Location": "/api/v1/bundles/" + b.BundleID},
	}, nil
}

// apiBundleRow is a bundle in GET /bundles.
type apiBundleRow struct {
	BundleID     string         `json:"bundle_id"`
	CreatedAt    *string        `json:"created_at"`
	ItemCount    int            `json:"item_count"`
	TotalBytes   int            `json:"total_bytes"`
	ApproxTokens int            `json:"approx_tokens"`
	TypeCounts   map[string]int `json:"type_counts"`
	Redacted     bool           `json:"redacted"`
	Dropped      int            `json:"items_dropped"`
	Failed       int            `json:"failed_sources"`
	Runs         int            `json:"runs"`
	LakeURI      string         `json:"lake_uri"` // of the artifact, as GET /lake/{path} takes it
}

// apiListBundles pages by key. run_id selects the bundles of a run, evidence_id and content_sha256 those with such an
// item.
func (s *server) apiListBundles(c echo.Context) error {
	limit, err := web.ListLimit(c)
	if err != nil {
		return err
	}
	q := bundleQuery(c)
	q.Limit = limit
	if sum, err := hex.DecodeString(q.SHA256); q.SHA256 != "" && (err != nil || len(sum) != sha256.Size) {
		return web.WithStatus(http.StatusBadRequest,
			domain.Refuse(domain.Invalid, "content_sha256", "refused_sha_256_item", "N", 2*sha256.Size))
	}
	q.SHA256 = strings.ToLower(q.SHA256)
	rows, next, err := s.Store.Bundles(c.Request().Context(), s.Who(c).Tenant, q)
	if err != nil {
		return web.BadQuery(err)
	}
	out := make([]apiBundleRow, len(rows))
	for i, r := range rows {
		out[i] = apiBundleRow{
			BundleID: r.BundleID, CreatedAt: web.TimeOrNull(r.CreatedAt), ItemCount: r.Items, TotalBytes: r.Bytes,
			ApproxTokens: r.Bytes / 4, TypeCounts: r.Types, Redacted: r.Redacted, Dropped: r.Dropped,
			Failed: r.Failed, Runs: r.Runs, LakeURI: r.LakeURI,
		}
	}
	return web.SendPage(c, "bundles", out, next)
}

func bundleQuery(c echo.Context) bundle.Query {
	return bundle.Query{
		RunID: c.QueryParam("run_id"), EvidenceID: c.QueryParam("evidence_id"),
		SHA256: c.QueryParam("content_sha256"), After: c.QueryParam("after"),
	}
}

// apiShowBundle returns the artifact as it was first built, byte for byte as it is stored in the lake.
func (s *server) apiShowBundle(c echo.Context) error {
	data, a, err := s.bundleArtifact(c)
	if err != nil {
		return err
	}
	c.Response().Header().Set("ETag", `"`+a.SHA256+`"`)
	c.Response().Header().Set("Content-Location", "/api/v1/lake/"+a.Path)
	return c.Blob(http.StatusOK, "application/json", data)
}

// bundleArtifact reads the bundle that the path names.
func (s *server) bundleArtifact(c echo.Context) ([]byte, bundle.Artifact, error) {
	ctx := c.Request().Context()
	a, err := s.Store.BundleArtifact(ctx, s.Who(c).Tenant, c.Param("id"))
	if err != nil {
		return nil, a, err
	}
	area, err := s.area(c)
	if err != nil {
		return nil, a, err
	}
	data, err := app.ReadArtifact(ctx, area, a)
	if domain.KindOf(err) == domain.NotFound {
		err = &domain.Error{
			Kind: domain.Internal, Op: "handlers.bundleArtifact", Message: words.Msg("refused_lake_lost"),
			Err: err,
		}
	}
	return data, a, err
}

// apiRun is a run that was given a bundle.
type apiRun struct {
	BundleID string `json:"bundle_id"`
	RunID    string `json:"run_id"`
}

// apiLinkedRun is a run in GET /bundles/{id}/runs.
type apiLinkedRun struct {
	RunID     string `json:"run_id"`
	LinkedAt  string `json:"linked_at"`
	LinkedBy  string `json:"linked_by"`  // id of the actor
	SessionID string `json:"session_id"` // of a judge run, "" for a run of the caller's own
	Number    int    `json:"number"`     // of a judge run in its session, from 1
	Read      bool   `json:"read"`       // it judged from the bundle and nothing else
}

// apiLinkedRuns answers with the newest runs of a bundle.
type apiLinkedRuns struct {
	Runs  []apiLinkedRun `json:"runs"`
	Total int            `json:"total"`
}

// apiBundleRuns lists the runs that were given a bundle (rule B-12). Of a session that the caller may not read, it tells
// neither id nor number.
func (s *server) apiBundleRuns(c echo.Context) error {
	runs, total, err := s.Store.BundleRuns(c.Request().Context(), s.Who(c).Tenant, c.Param("id"))
	if err != nil {
		return err
	}
	may := s.Readable(c.Request().Context(), s.Who(c))
	out := apiLinkedRuns{Runs: make([]apiLinkedRun, len(runs)), Total: total}
	for i, r := range runs {
		out.Runs[i] = apiLinkedRun{
			RunID: r.ID, LinkedAt: web.FormatTime(r.LinkedAt), LinkedBy: r.LinkedBy, SessionID: r.SessionID,
			Number: r.Number, Read: r.Read,
		}
		if r.SessionID == "" {
			continue
		}
		ok, err := may(access.Object{Kind: "session", ID: r.SessionID})
		if err != nil {
			return err
		}
		if !ok {
			out.Runs[i].SessionID, out.Runs[i].Number = "", 0
		}
	}
	return web.SendJSON(c, http.StatusOK, out)
}

// runInput names the run.
type runInput struct {
	RunID string `json:"run_id" need:"noun_given_run"`
}

// apiLinkRun records that a run was given a bundle: 201, or 200 if that was recorded before.
func (s *server) apiLinkRun(c echo.Context, in runInput) (web.Reply, error) {
	if err := importers.CheckRunID(in.RunID); err != nil {
		return web.Reply{}, err
	}
	created, err := s.Store.LinkRun(c.Request().Context(), s.Who(c), c.Param("id"), in.RunID)
	return web.Reply{Status: web.CreatedOr200(created), Body: apiRun{c.Param("id"), in.RunID}}, err
}
