package ledger

import (
	"bytes"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/live"
	"sanad/internal/exporters"
	"sanad/internal/handlers/web"
	"sanad/internal/importers"
)

// apiSession answers POST /sessions (rule F-4).
type apiSession struct {
	SessionID string           `json:"session_id"`
	LedgerURL string           `json:"ledger_url"`
	Warnings  []domain.Warning `json:"warnings"`
}

func newAPISession(t app.Imported) apiSession {
	return apiSession{t.SessionID, "/api/v1/sessions/" + t.SessionID + "/ledger", web.NotNull(t.Warnings)}
}

// apiCreateSession imports any interchange format: 201, or 200 with the same session_id for a repeated import; 202 with
// a job above app.SmallImport bytes, or of a session with many claims (app.Embedded.ManyClaims).
func (s *server) apiCreateSession(c echo.Context) (web.Reply, error) {
	if web.IsForm(c.Request()) {
		return s.apiCreateFromForm(c)
	}
	data, rest, err := s.head(c)
	if err != nil {
		return web.Reply{}, err
	}
	if rest != nil {
		return s.apiQueue(c, rest)
	}
	sum := s.RequestDigest(c)
	_, _ = sum.Write(data) // a digest takes everything
	if err := s.CheckAnswered(c, sum); err != nil {
		return web.Reply{}, err
	}
	if named := importers.LakeDocuments(data, s.imports); len(named) > 0 {
		return s.apiImportOfLake(c, data, named)
	}
	return s.apiImport(c, data, "")
}

// apiImport imports an interchange file, named name if it has a name, or queues one of many claims.
func (s *server) apiImport(c echo.Context, data []byte, name string) (web.Reply, error) {
	read, err := importers.Read(data, s.imports)
	if err != nil {
		return web.Reply{}, web.BadRequest(inPart(name, err))
	}
	if s.embedded.ManyClaims(&read.Session) {
		return s.apiQueue(c, bytes.NewReader(data))
	}
	return s.apiStore(c, read, name)
}

// inPart names the part of a form in which a fault of a whole file is; "" is the name of a body.
func inPart(name string, err error) error {
	var fault *domain.Error
	if name == "" || !errors.As(err, &fault) || fault.Path != "" {
		return err
	}
	out := *fault
	out.Path = "file"
	return &out
}

// apiStore judges and stores a session that was read from a file, named name if it has a name.
func (s *server) apiStore(c echo.Context, read *importers.Result, name string) (web.Reply, error) {
	in := s.importer(c)
	in.File = name
	taken, err := in.Import(c.Request().Context(), read, func(t app.Imported) (*db.Receipt, error) {
		return sessionImported(http.StatusCreated, t).Receipt(c)
	})
	return sessionImported(web.CreatedOr200(taken.Created), taken), err
}

// sessionImported answers with the session that an import created or found.
func sessionImported(status int, t app.Imported) web.Reply {
	answer := newAPISession(t)
	return web.Reply{Status: status, Body: answer, Headers: map[string]string{"Location": answer.LedgerURL}}
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
	State     ledger.State           `json:"state"`
	Settled   int                    `json:"settled"`
	Differing int                    `json:"differing"`
	Threads   int                    `json:"open_threads"`
	First     *apiReviewer           `json:"first_reviewer"`
	Second    *apiReviewer           `json:"second_reviewer"`
	DueOn     *string                `json:"due_on"`        // 2026-11-30; null if none
	DueZone   *string                `json:"due_time_zone"` // in which that day ends; null if none
	CreatedAt string                 `json:"created_at"`
	UpdatedAt string                 `json:"updated_at"`
}

// apiListSessions pages by key: ?after= takes next of the page before, ?limit= up to 200.
func (s *server) apiListSessions(c echo.Context) error {
	q, err := web.ReadQuery(c, ledger.SessionFilters)
	if err != nil {
		return err
	}
	q.Reader, q.After = s.Who(c).ID, c.QueryParam("after")
	if q.Limit, err = web.ListLimit(c); err != nil {
		return err
	}
	rows, next, err := s.Store.Sessions(c.Request().Context(), s.Who(c).Tenant, q)
	if domain.KindOf(err) == domain.Invalid {
		return web.WithStatus(http.StatusBadRequest, err)
	}
	if err != nil {
		return err
	}
	out := make([]apiSessionRow, len(rows))
	for i, r := range rows {
		out[i] = apiSessionRow{ID: r.ID, Title: r.Title, Status: r.Status, Claims: r.Claims, ByVerdict: r.ByVerdict,
			Unjudged: r.Unjudged, Coverage: r.Coverage, Flags: r.Flags,
			State: r.State, Settled: r.Settled, Differing: r.Differing, Threads: r.Threads, First: newAPIReviewer(r.Seats[0]),
			Second: newAPIReviewer(r.Seats[1]), DueOn: web.OrNull(r.Due.Day), DueZone: web.DueZone(&r.Due), CreatedAt: web.FormatTime(r.CreatedAt),
			UpdatedAt: web.FormatTime(r.UpdatedAt)}
	}
	return web.SendPage(c, "sessions", out, next)
}

// apiLedgerAnswer answers GET …/ledger.
type apiLedgerAnswer struct {
	Ledger  exporters.LedgerView `json:"ledger"`
	Session apiLedgerSession     `json:"session"`
	Page    *apiLedgerPage       `json:"page,omitempty"` // only where from or limit is given
}

// apiLedgerSession has the members of a ledger's session in rule F-4, then our own.
type apiLedgerSession struct {
	ID        string        `json:"id"`
	Query     string        `json:"query"`
	Mode      string        `json:"mode"`
	Documents []apiDocument `json:"documents"` // in the order of the session
	// whose answer it is, and the trace that it was made of, as the import said
	Model        string `json:"model,omitempty"`
	ModelVersion string `json:"model_version,omitempty"`
	TraceID      string `json:"trace_id,omitempty"`
	// spans of the live trace that were refused: documents in them are missing
	Refused []ledger.RefusedSpans `json:"refused_spans,omitempty"`
	Trace   *apiSessionTrace      `json:"trace,omitempty"` // only where there is something to say
}

// apiSessionTrace is what is known of the live trace that a session was made of.
type apiSessionTrace struct {
	Late     int              `json:"late_spans"` // which came after it was made
	Warnings []domain.Warning `json:"warnings"`   // as POST /sessions answers them
}

func newAPISessionTrace(t *live.Trace, session *ledger.Session) *apiSessionTrace {
	late := t.After(session.RefusedTotal())
	if late+len(t.Warnings) == 0 {
		return nil
	}
	return &apiSessionTrace{Late: late, Warnings: web.NotNull(t.Warnings)}
}

// apiDocument is a document of a session.
type apiDocument struct {
	ID         string                `json:"id"`          // as POST /documents/{id}/withdraw and …/replace take it
	DocumentID string                `json:"document_id"` // the caller's
	Title      string                `json:"title"`
	Filename   string                `json:"filename"`
	Status     ledger.DocumentStatus `json:"status"`
	Withdrawn  bool                  `json:"withdrawn"`
	BundleID   string                `json:"bundle_id"` // of the bundle that it is an item of, "" for a document of the session
}

func newAPIDocument(d ledger.Document) apiDocument {
	return apiDocument{
		ID: d.ID, DocumentID: d.Key, Title: d.Title, Filename: d.Filename, Status: d.Status,
		Withdrawn: d.Withdrawn != "", BundleID: d.BundleID,
	}
}

// apiShowLedger returns a ledger (rule F-4), or the entries that the query selects, under the ETag of its revision.
func (s *server) apiShowLedger(c echo.Context) error {
	q, err := readPartQuery(c)
	if err != nil {
		return err
	}
	session, answer, err := s.apiLedger(c, &q)
	if err != nil {
		return err
	}
	of, err := s.Store.SessionTrace(c.Request().Context(), s.Who(c).Tenant, session.ID, session.TraceID)
	if err != nil {
		return err
	}
	trace := newAPISessionTrace(&of, session)
	tag := web.Etag(session.ID, session.Revision)
	if web.NotModified(c, tag) && trace == nil { // the revision says nothing of what came late
		return c.NoContent(http.StatusNotModified)
	}
	answer.Session = apiLedgerSession{
		ID: session.ID, Query: session.Query, Mode: session.Mode,
		Documents: web.Map(session.Documents, newAPIDocument),
		Model:     session.Model, ModelVersion: session.ModelVersion, TraceID: session.TraceID,
		Refused: session.RefusedSpans(), Trace: trace,
	}
	return web.SendJSON(c, http.StatusOK, answer)
}

// apiLedger answers with the entries that q asks for, or with the whole ledger if it has no limit.
func (s *server) apiLedger(c echo.Context, q *ledger.PartQuery) (*ledger.Session, *apiLedgerAnswer, error) {
	if q.Limit > 0 {
		part, err := s.Store.LedgerPart(c.Request().Context(), s.Who(c), c.Param("id"), q)
		if err != nil {
			return nil, nil, err
		}
		return part.Session, &apiLedgerAnswer{Ledger: *exporters.APIPart(part), Page: newAPILedgerPage(part)}, nil
	}
	l, err := s.ledger(c)
	if err != nil {
		return nil, nil, err
	}
	passing(l, q)
	return l.Session, &apiLedgerAnswer{Ledger: *exporters.APILedger(l)}, nil
}

// ledger loads and assesses the session that the path names.
func (s *server) ledger(c echo.Context) (*ledger.Ledger, error) {
	ctx, who := c.Request().Context(), s.Who(c)
	session, err := s.Store.SessionFor(ctx, who, c.Param("id"))
	if err != nil {
		return nil, err
	}
	tenant, err := s.Store.Tenant(ctx, who.Tenant)
	if err != nil {
		return nil, err
	}
	whole := ledger.Assess(session, tenant.FreshnessMonths)
	l := whole.Findings()
	return &l, nil
}

// exportLife is how long a personal download link is valid.
const exportLife = 15 * time.Minute

// ledgerExportInput is the body of POST …/ledger/export.
type ledgerExportInput struct {
	Format   string             `json:"format"`
	Language exporters.Language `json:"language"` // of a PDF, both by default; of a table, English by default
}

// apiLedgerLink answers it.
type apiLedgerLink struct {
	DownloadURL string `json:"download_url"`
	ExpiresAt   string `json:"expires_at"`
}

// apiExportLedger creates a personal download link (rule WEB-9).
func (s *server) apiExportLedger(c echo.Context, in ledgerExportInput) (web.Reply, error) {
	f, err := exporters.FormatByName(in.Format)
	if err != nil {
		return web.Reply{}, err
	}
	if err := f.CheckLanguage(in.Language); err != nil {
		return web.Reply{}, err
	}
	link := ""
	if one := f.OneLanguage(in.Language); one != "" {
		link = "?language=" + string(one)
	}
	ctx, who, now := c.Request().Context(), s.Who(c), s.Now().UTC()
	token, expires := auth.NewSecret(), now.Add(exportLife)
	out := web.Reply{Status: http.StatusOK,
		Body: apiLedgerLink{web.DownloadsPath + url.PathEscape(token) + link, web.FormatTime(expires)}}
	receipt, err := out.Receipt(c)
	if err != nil {
		return out, err
	}
	err = s.Store.CreateExportOnce(ctx, who, db.Export{
		TokenHash: db.HashToken(token), SessionID: c.Param("id"), Format: f.Name, CreatedAt: now, ExpiresAt: expires,
	}, receipt)
	return out, err
}

// apiShowCitation resolves an anchor anywhere in the tenant (rule L-11).
func (s *server) apiShowCitation(c echo.Context) error {
	hash := strings.ToLower(c.Param("hash"))
	if !ledger.IsHash(hash) {
		return web.NotFound()
	}
	found, err := s.Store.CitedChunks(c.Request().Context(), s.Who(c).Tenant, []string{hash})
	if err != nil {
		return err
	}
	places, err := s.readablePlaces(c, found[hash])
	if err != nil {
		return err
	}
	out := exporters.CitationAnswer{CitationView: exporters.APICitation(ledger.NewCitation(hash, places))}
	if out.Resolved {
		chunk, err := s.Store.CitedText(c.Request().Context(), s.Who(c).Tenant, places[0])
		if err != nil {
			return err
		}
		out.Chunk = &exporters.CitedChunk{Place: places[0], HeadingPath: chunk.HeadingPath, Text: chunk.Text}
	}
	return web.SendJSON(c, http.StatusOK, out)
}

// readablePlaces leaves out the places in sessions that the caller may not read.
func (s *server) readablePlaces(c echo.Context, places []ledger.Place) (out []ledger.Place, err error) {
	may := s.Readable(c.Request().Context(), s.Who(c))
	for _, p := range places {
		ok, err := may(access.Object{Kind: "session", ID: p.SessionID})
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, p)
		}
	}
	return out, nil
}
