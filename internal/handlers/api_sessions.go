package handlers

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/exporters"
	"sanad/internal/importers"
)

// apiWarning is one thing that was kept but not understood.
type apiWarning struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

// apiSession answers POST /sessions (spec page 7 "Black-box contracts").
type apiSession struct {
	SessionID string       `json:"session_id"`
	LedgerURL string       `json:"ledger_url"`
	Warnings  []apiWarning `json:"warnings"`
}

func newAPISession(t Taken) apiSession {
	out := apiSession{t.SessionID, "/api/v1/sessions/" + t.SessionID + "/ledger", make([]apiWarning, len(t.Warnings))}
	for i, w := range t.Warnings {
		out.Warnings[i] = apiWarning{w.Path, w.Msg}
	}
	return out
}

// apiCreateSession imports any interchange format: 201, or 200 with the same session_id when repeated.
func (s *Server) apiCreateSession(c echo.Context) error {
	data, err := body(c, importers.MaxBytes+1)
	if err != nil {
		return err
	}
	receipt, done, err := s.replay(c, data)
	if err != nil || done {
		return err
	}
	read, err := importers.Read(data, s.imports)
	if err != nil {
		return badRequest(err)
	}
	ctx := c.Request().Context()
	taken, err := s.intake(c).Take(ctx, read, func(t Taken) (*db.Receipt, error) {
		answer := newAPISession(t)
		return keep(receipt, http.StatusCreated, answer, "Location", answer.LedgerURL)
	})
	if err != nil {
		return orAgain(c, err, receipt)
	}
	answer, status := newAPISession(taken), http.StatusCreated
	if !taken.Created {
		status = http.StatusOK
		if receipt, err = keep(receipt, status, answer, "Location", answer.LedgerURL); err != nil {
			return err
		}
		if receipt != nil {
			if err := s.store.SaveReceipt(ctx, s.who(c).Tenant, receipt); err != nil {
				return orAgain(c, err, receipt)
			}
		}
	}
	c.Response().Header().Set("Location", answer.LedgerURL)
	return sendJSON(c, status, answer)
}

// apiSessionRow is a session in GET /sessions.
type apiSessionRow struct {
	ID        string                 `json:"id"`
	Title     string                 `json:"title"`
	Status    string                 `json:"status"`
	Claims    int                    `json:"total_claims"`
	ByVerdict map[ledger.Verdict]int `json:"by_verdict"`
	Unjudged  int                    `json:"unjudged"`
	Coverage  float64                `json:"evidence_coverage"`
	Flags     int                    `json:"risk_flags"`
	CreatedAt string                 `json:"created_at"`
	UpdatedAt string                 `json:"updated_at"`
}

// apiListSessions pages by key: ?after= takes the next of the page before, ?limit= up to 200.
func (s *Server) apiListSessions(c echo.Context) error {
	if err := checkQuery(c); err != nil {
		return err
	}
	q := sessionQuery(c)
	if l := c.QueryParam("limit"); l != "" {
		n, err := strconv.Atoi(l)
		if err != nil || n < 1 || n > 200 {
			return withStatus(http.StatusBadRequest, domain.Invalidf("limit", "Give a whole number from 1 to 200."))
		}
		q.Limit = n
	}
	rows, next, err := s.store.Sessions(c.Request().Context(), s.who(c).Tenant, q)
	if domain.KindOf(err) == domain.Invalid {
		return withStatus(http.StatusBadRequest, err)
	}
	if err != nil {
		return err
	}
	out := make([]apiSessionRow, len(rows))
	for i, r := range rows {
		out[i] = apiSessionRow{r.ID, r.Title, r.Status, r.Claims, r.ByVerdict, r.Unjudged, r.Coverage, r.Flags, apiTime(r.CreatedAt), apiTime(r.UpdatedAt)}
	}
	answer := map[string]any{"sessions": out, "next": nil}
	if next != "" {
		answer["next"] = next
		link := c.Request().URL.Query()
		link.Set("after", next)
		c.Response().Header().Set("Link", fmt.Sprintf(`</api/v1/sessions?%s>; rel="next"`, link.Encode()))
	}
	return sendJSON(c, http.StatusOK, answer)
}

// listChoices are the values that the list's parameters take; pages read others as if not given, the API refuses them.
var listChoices = map[string]func(string) bool{
	"sort":    func(v string) bool { return slices.Contains([]string{"created", "title", "coverage", "claims"}, v) },
	"dir":     func(v string) bool { return v == "asc" || v == "desc" },
	"status":  func(v string) bool { return v == db.StatusOpen || v == db.StatusReviewed },
	"verdict": func(v string) bool { return ledger.Verdict(v).Valid() },
	"flag":    func(v string) bool { return ledger.RiskType(v).Valid() },
}

// checkQuery refuses a list parameter that is none of its choices, naming it.
func checkQuery(c echo.Context) error {
	for _, name := range slices.Sorted(maps.Keys(listChoices)) {
		if v := c.QueryParam(name); v != "" && !listChoices[name](v) {
			return withStatus(http.StatusBadRequest, domain.Invalidf(name, "This is none of its values; see docs/api.md."))
		}
	}
	return nil
}

func apiTime(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// apiShowLedger gives the whole ledger (seed 002 §11.1) under the ETag of its revision.
func (s *Server) apiShowLedger(c echo.Context) error {
	l, err := s.ledger(c)
	if err != nil {
		return err
	}
	tag := etag(l.Session.ID, l.Session.Revision)
	c.Response().Header().Set("ETag", tag)
	if none := c.Request().Header.Get("If-None-Match"); none != "" && matches(none, tag) {
		return c.NoContent(http.StatusNotModified)
	}
	return sendJSON(c, http.StatusOK, map[string]any{
		"ledger":  exporters.APILedger(l),
		"session": map[string]any{"id": l.Session.ID, "query": l.Session.Query, "mode": l.Session.Mode},
	})
}

// ledger loads and assesses the session that the path names.
func (s *Server) ledger(c echo.Context) (*ledger.Ledger, error) {
	ctx, who := c.Request().Context(), s.who(c)
	session, err := s.store.Session(ctx, who.Tenant, c.Param("id"))
	if err != nil {
		return nil, err
	}
	tenant, err := s.store.Tenant(ctx, who.Tenant)
	if err != nil {
		return nil, err
	}
	l := ledger.Assess(session, tenant.FreshnessMonths)
	return &l, nil
}

// exportLife is how long a personal download link lives.
const exportLife = 15 * time.Minute

// apiExportLedger makes a personal download link (seed 002 §11.2).
func (s *Server) apiExportLedger(c echo.Context) error {
	var in struct {
		Format string `json:"format"`
	}
	data, err := decode(c, &in)
	if err != nil {
		return err
	}
	f, err := exporters.FormatByName(in.Format)
	if err != nil {
		return err
	}
	receipt, done, err := s.replay(c, data)
	if err != nil || done {
		return err
	}
	ctx, who, now := c.Request().Context(), s.who(c), s.now().UTC()
	token, expires := auth.NewSecret(), now.Add(exportLife)
	answer := map[string]string{"download_url": "/downloads/" + url.PathEscape(token), "expires_at": apiTime(expires)}
	if receipt, err = keep(receipt, http.StatusOK, answer); err != nil {
		return err
	}
	err = s.store.CreateExportOnce(ctx, who, db.Export{
		TokenHash: db.HashToken(token), SessionID: c.Param("id"), Format: f.Name, CreatedAt: now, ExpiresAt: expires,
	}, receipt)
	if err != nil {
		return orAgain(c, err, receipt)
	}
	return sendJSON(c, http.StatusOK, answer)
}

// apiShowCitation resolves an anchor anywhere in the tenant (seed 002 §5.3).
func (s *Server) apiShowCitation(c echo.Context) error {
	hash := strings.ToLower(c.Param("hash"))
	if !ledger.IsHash(hash) {
		return notFound()
	}
	found, err := s.store.CitedChunks(c.Request().Context(), s.who(c).Tenant, []string{hash})
	if err != nil {
		return err
	}
	return sendJSON(c, http.StatusOK, exporters.APICitation(ledger.NewCitation(hash, found[hash])))
}
