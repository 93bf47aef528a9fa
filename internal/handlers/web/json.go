package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/importers"
	"sanad/internal/strictjson"
	"sanad/internal/words"
)

// MaxAPIBody bounds a body that is not an import, in bytes.
const MaxAPIBody = 16 << 20

// Body reads a JSON body of at most limit bytes.
func Body(c echo.Context, limit int64) ([]byte, error) {
	if err := JSONOnly(c.Request()); err != nil {
		return nil, err
	}
	return ReadCounted(c, http.MaxBytesReader(c.Response(), c.Request().Body, limit), int(limit))
}

// ReadCounted reads JSON of at most limit bytes into memory. It refuses one with too many values as soon as that is
// seen, and reserves the memory that those of any other may take (rule SEC-23).
func ReadCounted(c echo.Context, from io.Reader, limit int) ([]byte, error) {
	counted := importers.Count(from, limit)
	data, err := io.ReadAll(counted)
	if err != nil {
		return nil, err
	}
	return data, limits.ForValues(c.Request().Context(), counted.Values())
}

// JSONOnly refuses a content type other than JSON; a missing one counts as JSON.
func JSONOnly(r *http.Request) error {
	t := strings.TrimSpace(strings.SplitN(r.Header.Get("Content-Type"), ";", 2)[0])
	if t == "" || strings.EqualFold(t, "application/json") || strings.HasSuffix(t, "+json") || strings.EqualFold(t,
		"application/x-www-form-urlencoded") && r.ContentLength == 0 {
		return nil
	}
	return &domain.Error{Kind: domain.Unsupported, Message: words.Msg("refused_send_body_application")}
}

// IsFile reports whether a request's body is an interchange file that is no single JSON value.
func IsFile(r *http.Request) bool {
	t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	for _, x := range apidoc.FileTypes {
		if err == nil && x.Media == t {
			return true
		}
	}
	return false
}

// Decode reads a strict JSON body into v and refuses unknown fields. A body of the wrong form is a 400.
func Decode(c echo.Context, v any) error {
	data, err := Body(c, MaxAPIBody)
	if err != nil {
		return err
	}
	if err := importers.DecodeStrict(data, v); err != nil {
		return BadRequest(err)
	}
	return nil
}

// WithBody returns a handler that decodes the body for do.
func WithBody[T any](do func(c echo.Context, in T) (Reply, error)) func(echo.Context) (Reply, error) {
	return func(c echo.Context) (Reply, error) {
		var in T
		if err := Decode(c, &in); err != nil {
			return Reply{}, err
		}
		return do(c, in)
	}
}

// WithoutBody returns a handler that refuses a body with any field before do is called.
func WithoutBody(do func(echo.Context) (Reply, error)) func(echo.Context) (Reply, error) {
	return func(c echo.Context) (Reply, error) {
		if err := DecodeIfAny(c, &struct{}{}); err != nil {
			return Reply{}, err
		}
		return do(c)
	}
}

// BadRequest attaches 400 to the error of a body whose JSON is broken (rule F-2); an error about a rule stays a 422.
func BadRequest(err error) error {
	if errors.Is(err, strictjson.ErrMalformed) {
		return WithStatus(http.StatusBadRequest, err)
	}
	return err
}

// SendJSON answers with v, without HTML escaping.
func SendJSON(c echo.Context, status int, v any) error {
	data, err := marshal(v)
	if err != nil {
		return err
	}
	return c.Blob(status, "application/json", data)
}

func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Etag is the entity tag of one revision of a session's ledger or of a pack. more are digests of what an answer says
// besides; "" for nothing.
func Etag(id string, revision int, more ...string) string {
	tag := id + "." + strconv.Itoa(revision)
	for _, x := range more {
		if x != "" {
			tag += "." + x
		}
	}
	return `"` + tag + `"`
}

// matches reports whether an If-Match or If-None-Match header names tag, or is *. Weak tags count too: proxies that
// compress weaken our tags, and a revision identifies the content either way.
func matches(header, tag string) bool {
	for part := range strings.SplitSeq(header, ",") {
		part = strings.TrimSpace(part)
		if part == "*" || strings.TrimPrefix(part, "W/") == tag {
			return true
		}
	}
	return false
}

func FormatTimeOrNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return OrNull(FormatTime(t))
}

// DecodeIfAny is Decode for a request whose body is optional.
func DecodeIfAny(c echo.Context, v any) error {
	if c.Request().ContentLength == 0 {
		return nil
	}
	return Decode(c, v)
}
