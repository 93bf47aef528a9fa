package ledger

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/handlers/web"
	ledgerviews "sanad/internal/views/ledger"
)

// chunksInColumn is how many chunks of a document the evidence column shows.
const chunksInColumn = 7

// column reads what the address asks of the evidence column of a claim of p, and loads it. at is the address of the
// ledger beside which it stands, nil on the claim's own page.
func (s *server) column(c echo.Context, p *ledger.Page, position int, at *url.URL) (ledgerviews.ColumnInput, error) {
	q := columnQuery(c, position, at)
	in := ledgerviews.ColumnInput{Position: position, View: q.Get("view"), At: at, Chunk: -1}
	in.Passage, _ = strconv.Atoi(q.Get("passage")) // 0 for the one that decides
	e, ok := p.Session.EntryAt(position, nil)
	if !ok || in.View != ledgerviews.ViewText && in.View != ledgerviews.ViewOriginal {
		in.View = ""
		return in, nil
	}
	document, center := q.Get("document"), chunkParam(q)
	if m, _ := ledgerviews.ShownMatch(&e, in.Passage); m != nil {
		d := p.Session.Document(m.Chunk.Document)
		if document == "" && d != nil {
			document = d.ID
		}
		if d != nil && document == d.ID {
			in.Chunk = m.Chunk.Chunk
		}
	}
	if document == "" {
		return in, nil
	}
	if in.Chunk < 0 || q.Get("span") != "" {
		in.Chunk, in.Span = center, spanParam(q)
	}
	if center < 0 {
		center = in.Chunk
	}
	return in, s.columnText(c, &in, p.Session.ID, document, center)
}

// columnQuery returns the part of an address that the column follows: of the request, else, where that is a form's, of
// the ledger that it was sent from.
func columnQuery(c echo.Context, position int, at *url.URL) url.Values {
	if c.Request().Method == http.MethodGet {
		return c.QueryParams()
	}
	if at == nil || at.Query().Get("claim") != strconv.Itoa(position+1) {
		return nil
	}
	return at.Query()
}

// columnText loads the text of a document around a chunk.
func (s *server) columnText(c echo.Context, in *ledgerviews.ColumnInput, session, document string, center int) error {
	who := s.Who(c)
	d, err := s.Store.DocumentPage(c.Request().Context(), who, document, center, in.Position+1, chunksInColumn)
	if err != nil {
		return err
	}
	if d.SessionID != session {
		return web.NotFound()
	}
	if in.Hidden = d.Document.HiddenFrom(who.Role); in.Hidden {
		d.Hide()
	}
	in.Document = d
	return nil
}

// chunkParam reads the position of a chunk, -1 if none is named.
func chunkParam(q url.Values) int {
	if n, err := strconv.Atoi(q.Get("chunk")); err == nil && n >= 1 {
		return n - 1
	}
	return -1
}

// spanParam reads a span of a chunk, "12-80" in code points; nil if none is named.
func spanParam(q url.Values) *text.Span {
	var sp text.Span
	if _, err := fmt.Sscanf(q.Get("span"), "%d-%d", &sp.Start, &sp.End); err != nil || sp.Len() == 0 {
		return nil
	}
	return &sp
}
