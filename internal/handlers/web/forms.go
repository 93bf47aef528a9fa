package web

import (
	"bytes"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/library"
	"sanad/internal/views/ui"
)

// MaxSmallForm bounds a form of a few fields, in bytes.
const MaxSmallForm = 16 << 10

// passwordWords maps the reasons why a password is refused to message ids.
var passwordWords = map[error]string{
	auth.ErrPasswordShort: "password_short", auth.ErrPasswordTiny: "password_tiny", auth.ErrPasswordLong: "password_long",
	auth.ErrPasswordSigns:    "password_signs",
	auth.ErrPasswordRepeated: "password_repeated", auth.ErrPasswordLogin: "password_login",
	auth.ErrPasswordNames: "password_names", auth.ErrPasswordPattern: "password_pattern",
	auth.ErrPasswordCommon: "password_common", auth.ErrPasswordListed: "password_listed",
}

// pathWords maps fields to the message ids of what is wrong with them.
var pathWords = map[string]string{"login": "login_form", "email": "email_form", "name": "name_form",
	"role": "role_unknown"}

// FormFault turns a refusal into a fault to show beside its field; it returns nil for errors that are not the form's. A
// refusal that names no field goes to field. own maps kinds to message ids, for errors without a word of their
// own and callers that know what a kind means here.
func FormFault(err error, field string, own map[domain.Kind]string) *ui.FormFault {
	var e *domain.Error
	if !errors.As(err, &e) {
		return nil
	}
	switch e.Kind {
	case domain.Invalid, domain.Conflict, domain.Denied, domain.TooLarge:
	default:
		return nil
	}
	f := ui.FaultOf(e)
	if word := own[e.Kind]; word != "" && f.Word == "" {
		f.Word, f.Args = word, nil
	}
	if e.Path == "" {
		f.Field = field
	}
	if f.Word == "" && e.Kind == domain.Invalid {
		f.Word = pathWords[e.Path]
	}
	if errors.Is(err, access.ErrWhy) {
		f.Word = "change_reason"
	}
	for cause, word := range passwordWords {
		if errors.Is(err, cause) {
			f.Word = word
		}
	}
	return f
}

// FieldFault refuses one field with a message of the catalogue.
func FieldFault(field, word string) *ui.FormFault {
	return &ui.FormFault{Field: field, Word: word}
}

// SmallForm returns a handler of a form of a few fields.
func SmallForm(do echo.HandlerFunc) echo.HandlerFunc { return Form(MaxSmallForm, do) }

// Form returns a handler that parses a form of at most limit bytes before do is called.
func Form(limit int64, do echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if err := ParseForm(c, limit); err != nil {
			return err
		}
		return do(c)
	}
}

// ParseForm parses a form of at most limit bytes and maxFields fields, and refuses one that has more or is broken.
func ParseForm(c echo.Context, limit int64) error {
	r := c.Request()
	if IsForm(r) {
		return ParseFiles(c, limit, limit)
	}
	// MaxBytesReader is the outermost: net/http bounds any other reader itself
	r.Body = http.MaxBytesReader(c.Response(), &fewFields{ReadCloser: r.Body}, limit)
	if err := r.ParseForm(); err != nil {
		return UnreadableForm(err, int(limit))
	}
	return nil
}

// RowsPerPage is how many people or tokens a page lists; MaxChoices is how many of them a form offers to choose from.
const (
	RowsPerPage = 100
	MaxChoices  = 500
)

// ConfirmFirst is the address where the password is given again, "" if it was given recently. A page with a form offers
// it before anything is typed, because typed text could be lost on the way.
func (s *Server) ConfirmFirst(c echo.Context) string {
	if s.HasReauthed(c) {
		return ""
	}
	return WithNext("/confirm", c.Request().URL.Path)
}

// FirstRunes cuts a text to n characters.
func FirstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// MaxForm bounds a form with a comment or a reason, in bytes.
const MaxForm = 256 << 10

// maxFields is how many fields a form may have; net/url parses no more.
const maxFields = 10_000

var errManyFields = errors.New("the form has too many fields")

// fewFields is a form that is read up to its field after the most, so that no more of one with too many is held.
type fewFields struct {
	io.ReadCloser
	n int
}

func (f *fewFields) Read(p []byte) (int, error) {
	n, err := f.ReadCloser.Read(p)
	if f.n += bytes.Count(p[:n], []byte("&")); f.n >= maxFields {
		return 0, errManyFields
	}
	return n, err
}

// maxBody bounds, in bytes, the body of a request that brings no files, whatever reads it: net/http writes files of any
// size to the disk for whoever asks for a field.
const maxBody = 64 << 20

// boundBody is a body of at most maxBody bytes.
type boundBody struct {
	io.ReadCloser
	left int
}

func (b *boundBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, &http.MaxBytesError{Limit: maxBody}
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// withinBody bounds the body of an endpoint that takes no files.
func (e *Endpoint) withinBody(handle echo.HandlerFunc) echo.HandlerFunc {
	if e.Method == http.MethodGet || e.takesFiles() {
		return handle
	}
	return func(c echo.Context) error {
		r := c.Request()
		r.Body = &boundBody{ReadCloser: r.Body, left: maxBody}
		return handle(c)
	}
}

// UnreadableForm distinguishes a form that is too large from one that is broken.
func UnreadableForm(err error, limit int) error {
	if errors.Is(err, errManyFields) {
		return domain.Refuse(domain.TooLarge, "", "refused_form_many", "Most", maxFields)
	}
	if errors.Is(err, multipart.ErrMessageTooLarge) {
		return manyParts()
	}
	var tooBig *http.MaxBytesError
	if errors.As(err, &tooBig) {
		return domain.Refuse(domain.TooLarge, "", "refused_form_larger_kib", "N", limit>>10)
	}
	return WithStatus(http.StatusBadRequest, domain.Refuse(domain.Invalid, "", "refused_form_could_read"))
}

// UploadFault turns the refusal of an upload into a fault to show beside the field that it names.
func UploadFault(err error) *ui.FormFault {
	f := FaultOf(err)
	return &ui.FormFault{Field: f.Path, Message: f.Message}
}

// AsError returns the domain error in err's chain, nil if none.
func AsError(err error) *domain.Error {
	var e *domain.Error
	errors.As(err, &e)
	return e
}

// MostFiles is how many files, uploaded or of the library, a form of a page may add at once.
const MostFiles = 200

// SentFiles reports whether a form has files, which a page that shows it again cannot keep.
func SentFiles(c echo.Context) bool {
	for _, field := range c.Request().MultipartForm.File {
		for _, h := range field {
			if h.Filename != "" || h.Size > 0 {
				return true
			}
		}
	}
	return false
}

// libraryValues are what the form, or the address, says about the choice from the library.
func libraryValues(c echo.Context) url.Values {
	if r := c.Request(); r.Method == http.MethodPost {
		return r.PostForm // of a form with files too
	}
	return c.QueryParams()
}

// SearchesLibrary reports whether a form was sent to search the library, and not to store anything.
func SearchesLibrary(c echo.Context) bool {
	v := libraryValues(c)
	return v.Has("library_find") || v.Has("library_after")
}

// offeredMost is how many documents of the library a form offers at once.
const offeredMost = 50

// OfferLibrary returns the documents of the library that a form offers, by name, none to who may not read the library:
// those that were searched for, and those that are chosen.
func (s *Server) OfferLibrary(c echo.Context) (out ui.LibraryOffer, err error) {
	ctx, tenant, v := c.Request().Context(), s.Who(c).Tenant, libraryValues(c)
	if out.On, err = s.May(c, access.ReadLibrary, access.Object{}); err != nil || !out.On {
		return out, err
	}
	out.Query = library.Query{Words: v.Get("library_q"), Folder: v.Get("library_folder"), Tag: v.Get("library_tag"),
		After: v.Get("library_after"), Limit: offeredMost}
	out.Find, out.Chosen = SearchesLibrary(c), v["library"][:min(len(v["library"]), MostFiles)]
	if out.Names, err = s.Store.LibraryNames(ctx, tenant, out.Chosen); err != nil {
		return out, err
	}
	if out.Folders, err = s.Store.LibraryFolders(ctx, tenant); err != nil {
		return out, err
	}
	out.Rows, out.Next, err = s.Store.LibraryDocuments(ctx, tenant, out.Query)
	return out, err
}
