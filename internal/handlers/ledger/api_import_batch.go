package ledger

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/documents"
	"sanad/internal/domain"
	"sanad/internal/domain/judge"
	"sanad/internal/handlers/web"
	"sanad/internal/importers"
	"sanad/internal/words"
)

// batchClaims bounds how many claims of a batch are judged while its caller waits.
const batchClaims = 10 * judge.MaxClaims

// batchRead bounds how many of them a reader reads.
const batchRead = 10 * app.ClaimsOfJob

// batchWarnings is how many warnings of each session are answered; they show what is unusual about it.
const batchWarnings = 20

// batchInput is the body of POST /sessions:batch.
type batchInput struct {
	Sessions []json.RawMessage `json:"sessions" limit:"1000"` // each as POST /sessions takes it
}

// apiBatch answers it.
type apiBatch struct {
	Created  int            `json:"created"`
	Existing int            `json:"existing"` // the same content was imported before
	Refused  int            `json:"refused"`
	Results  []apiBatchItem `json:"results"` // in the order of the request
}

// apiBatchItem is what became of a session of a batch: either is null.
type apiBatchItem struct {
	Index   int              `json:"index"`  // in sessions, from 0
	Status  int              `json:"status"` // that POST /sessions would have answered with
	Session *apiSession      `json:"session"`
	Error   *apiBatchRefusal `json:"error"`
}

// apiBatchRefusal is why a session was refused.
type apiBatchRefusal struct {
	Path   string `json:"path"` // from the body's beginning: "sessions[3].session.answer"
	Detail string `json:"detail"`
}

// apiImportBatch imports sessions one after the other, each in its own transaction: a refused one does not stop the
// others. If the store fails the whole request does, and can be repeated: the same content is stored once.
func (s *server) apiImportBatch(c echo.Context, in batchInput) (web.Reply, error) {
	if len(in.Sessions) == 0 {
		return web.Reply{}, domain.Refuse(domain.Invalid, "sessions", "refused_send_least_session")
	}
	out := apiBatch{Results: make([]apiBatchItem, len(in.Sessions))}
	left := batchLeft{claims: batchClaims, read: batchRead, lake: newLakeRoom(), imports: s.imports.Once(lakePerRequest)}
	for i, src := range in.Sessions {
		taken, err := s.importOfBatch(c, src, &left)
		f := web.FaultOf(err)
		if err != nil && (f.Status >= http.StatusInternalServerError || f.Status == http.StatusTooManyRequests) {
			return web.Reply{}, err
		}
		out.add(i, taken, err)
		in.Sessions[i] = nil // its text is not needed any more
	}
	return web.Reply{Status: http.StatusOK, Body: out}, nil
}

// batchLeft is what the sessions of a batch that follow may have together.
type batchLeft struct {
	claims  int
	read    int // claims that a reader reads
	lake    *lakeRoom
	imports importers.Options // that read a file once
}

// importOfBatch imports one session of a batch.
func (s *server) importOfBatch(c echo.Context, src json.RawMessage, left *batchLeft) (app.Imported, error) {
	if len(src) > app.SmallImport {
		return app.Imported{}, domain.Refuse(domain.TooLarge, "", "refused_session_more_mib", "N",
			app.SmallImport>>20)
	}
	if named := importers.LakeDocuments(src, s.imports); len(named) > 0 {
		return s.lakeOfBatch(c, src, named, left)
	}
	read, err := importers.Read(src, s.imports)
	if err != nil {
		return app.Imported{}, web.BadRequest(err)
	}
	return s.storeOfBatch(c, read, left)
}

// lakeOfBatch imports a session of a batch that names documents of the lake.
func (s *server) lakeOfBatch(c echo.Context, src json.RawMessage, named []importers.LakeDocument, left *batchLeft,
) (out app.Imported, err error) {
	for _, d := range named {
		if s.Lake == nil && d.Library.ID == "" { // else the whole batch would have to be sent again, in vain
			return out, domain.Refuse(domain.Invalid, lakeAt(d), "refused_server_lake_document")
		}
	}
	large := domain.Refuse(domain.TooLarge, "", "refused_documents_session_take")
	theirs, err := s.lakeSize(c, named, left.lake)
	if err != nil {
		return out, err
	}
	if len(src)+theirs > app.SmallImport { // before memory is asked for, which can fail the whole batch
		return out, large
	}
	err = s.withLake(c, len(src)+theirs, named, func(c echo.Context, files []importers.File) error {
		form := lakeForm(src, named, files)
		if isSlow(form.Files) {
			return large
		}
		read, err := importers.FromForm(c.Request().Context(), form, left.imports)
		if documents.Slow(err) {
			return domain.Refuse(domain.TooLarge, "", "refused_documents_batch_slow")
		}
		if err != nil {
			return bodyFault(err)
		}
		out, err = s.storeOfBatch(c, read, left)
		return err
	})
	return out, err
}

// storeOfBatch judges and stores a session of a batch.
func (s *server) storeOfBatch(c echo.Context, read *importers.Result, left *batchLeft) (app.Imported, error) {
	if n := len(read.Session.Claims); n > judge.MaxClaims {
		return app.Imported{}, domain.Refuse(domain.TooLarge, "", "refused_session_claims_more", "N", n, "Most",
			judge.MaxClaims)
	} else if left.claims -= n; left.claims < 0 {
		return app.Imported{}, domain.Refuse(domain.TooLarge, "", "refused_sessions_batch_more", "N", batchClaims)
	}
	if left.read -= s.embedded.ToRead(&read.Session); left.read < 0 {
		return app.Imported{}, domain.Refuse(domain.TooLarge, "", "refused_sessions_batch_read", "N", batchRead)
	}
	return s.importer(c).Import(c.Request().Context(), read, nil)
}

// add notes what became of a session.
func (b *apiBatch) add(i int, taken app.Imported, err error) {
	out := &b.Results[i]
	out.Index = i
	switch f := web.FaultOf(err); {
	case err != nil:
		b.Refused++
		out.Status, out.Error = f.Status, &apiBatchRefusal{Path: placeInBatch(i, f.Path), Detail: f.Message.String()}
		return
	case taken.Created:
		b.Created++
	default:
		b.Existing++
	}
	answer := newAPISession(taken)
	if more := len(answer.Warnings) - batchWarnings; more > 0 {
		answer.Warnings = append(answer.Warnings[:batchWarnings:batchWarnings],
			domain.Warn("", words.Msg("warning_more_warnings_left", "N", more)))
	}
	out.Status, out.Session = web.CreatedOr200(taken.Created), &answer
}

// placeInBatch returns a place in a session of a batch from the body's beginning.
func placeInBatch(i int, path string) string {
	at := fmt.Sprintf("sessions[%d]", i)
	if path == "" || strings.HasPrefix(path, "[") {
		return at + path
	}
	return at + "." + path
}
