package handlers

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/importers"
)

// maxAPIBody bounds a body that is not an import, in bytes.
const maxAPIBody = 16 << 20

// body reads a JSON body of at most limit bytes.
func body(c echo.Context, limit int64) ([]byte, error) {
	if err := jsonOnly(c.Request()); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(http.MaxBytesReader(c.Response(), c.Request().Body, limit))
	if err != nil {
		return nil, err
	}
	return data, nil
}

// jsonOnly refuses another content type; none at all is taken as JSON.
func jsonOnly(r *http.Request) error {
	t := strings.TrimSpace(strings.SplitN(r.Header.Get("Content-Type"), ";", 2)[0])
	if t == "" || strings.EqualFold(t, "application/json") || strings.HasSuffix(t, "+json") || strings.EqualFold(t, "application/x-www-form-urlencoded") && r.ContentLength == 0 {
		return nil
	}
	return &domain.Error{Kind: domain.Unsupported, Msg: "Send the body as application/json."}
}

// linesTypes are the media types of JSON Lines: JSON values one after the other, as the rows of an interchange format come.
var linesTypes = []string{"application/jsonl", "application/x-ndjson"}

// isLines tells whether a request brings JSON Lines.
func isLines(r *http.Request) bool {
	t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && slices.Contains(linesTypes, t)
}

// decode reads a strict JSON body into v; unknown fields are refused. Every fault of form is a 400.
func decode(c echo.Context, v any) error {
	data, err := body(c, maxAPIBody)
	if err != nil {
		return err
	}
	if err := importers.DecodeStrict(data, v); err != nil {
		return badRequest(err)
	}
	return nil
}

// badRequest gives 400 to a body whose JSON is broken (rule F-2); one that breaks a rule stays a 422.
func badRequest(err error) error {
	if errors.Is(err, importers.ErrMalformed) {
		return withStatus(http.StatusBadRequest, err)
	}
	return err
}

// sendJSON answers with v, not escaped for HTML.
func sendJSON(c echo.Context, status int, v any) error {
	data, err := marshal(v)
	if err != nil {
		return err
	}
	return c.Blob(status, "application/json", data)
}

func marshal(v any) ([]byte, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return []byte(b.String()), nil
}

// etag names one revision of a session's ledger or of a pack.
func etag(sessionID string, revision int) string { return fmt.Sprintf(`"%s.%d"`, sessionID, revision) }

// matches tells whether an If-Match or If-None-Match header names tag, or is *. A weak tag is as good: a proxy that
// compresses weakens ours, and a revision is a revision.
func matches(header, tag string) bool {
	for part := range strings.SplitSeq(header, ",") {
		part = strings.TrimSpace(part)
		if part == "*" || strings.TrimPrefix(part, "W/") == tag {
			return true
		}
	}
	return false
}
