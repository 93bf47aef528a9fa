package web

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/words"
)

// IsForm reports whether a request's body is multipart/form-data.
func IsForm(r *http.Request) bool {
	t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && t == apidoc.FormType
}

// isForm reports whether a request brings a form to an endpoint that takes one.
func (e *Endpoint) isForm(r *http.Request) bool {
	return e.Doc != nil && e.Doc.Form != nil && IsForm(r)
}

// Bounds of a form: what is held in memory before files go to disk, and what Go's parser bounds beyond that.
const (
	formMemory = 8 << 20
	formText   = formMemory + 10<<20 // of all parts without a file name together
	formParts  = 1000
)

// ReadForm parses a body of multipart/form-data of at most limit bytes, whose parts are those of Doc.Form. It returns a
// *db.ReplayError if the request's Idempotency-Key has an answer already. The caller removes the form's files.
func (s *Server) ReadForm(c echo.Context, limit int64, parts []apidoc.Part) (*multipart.Form, error) {
	r := c.Request()
	r.Body = http.MaxBytesReader(c.Response(), r.Body, limit)
	if err := r.ParseMultipartForm(formMemory); err != nil {
		return nil, unreadableParts(err)
	}
	err := checkParts(r.MultipartForm, parts)
	if err == nil {
		sum := s.RequestDigest(c)
		if err = digestForm(sum, r.MultipartForm); err == nil {
			err = s.CheckAnswered(c, sum)
		}
	}
	if err != nil {
		return nil, errors.Join(err, r.MultipartForm.RemoveAll())
	}
	return r.MultipartForm, nil
}

// ParseFiles parses a page's form with files, of at most limit bytes, of which it holds memory and no more; its other
// parts apart. A form of another kind is refused before it is read. The caller removes the files.
func ParseFiles(c echo.Context, limit, memory int64) error {
	r := c.Request()
	if !IsForm(r) {
		return UnreadableForm(http.ErrNotMultipart, int(limit))
	}
	r.Body = http.MaxBytesReader(c.Response(), r.Body, limit)
	if err := r.ParseMultipartForm(memory); err != nil {
		return UnreadableForm(err, int(limit))
	}
	return nil
}

// unreadableParts returns the fault of a form that cannot be parsed.
func unreadableParts(err error) error {
	var tooBig *http.MaxBytesError
	switch {
	case errors.As(err, &tooBig):
		return err
	case errors.Is(err, multipart.ErrMessageTooLarge):
		return manyParts()
	}
	return WithStatus(http.StatusBadRequest, domain.Refuse(domain.Invalid, "", "refused_form_broken_incomplete"))
}

// manyParts is the fault of a form with too many parts, or too long ones without a file name.
func manyParts() error {
	return domain.Refuse(domain.TooLarge, "", "refused_form_more_parts", "N", formParts, "Most", formText>>20)
}

// checkParts refuses parts that are unknown, repeated, or a file where a text is asked for and the reverse.
func checkParts(form *multipart.Form, parts []apidoc.Part) error {
	known := map[string]apidoc.Part{}
	var names []string
	for _, p := range parts {
		known[p.Name] = p
		names = append(names, p.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(form.Value)) {
		if known[name].File {
			return domain.Refuse(domain.Invalid, name, "refused_part_file_name", "Name", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(form.File)) {
		if known[name].Text {
			return domain.Refuse(domain.Invalid, name, "refused_part_text_send", "Name", name)
		}
	}
	all := map[string]int{}
	for name, list := range form.Value {
		all[name] += len(list)
	}
	for name, list := range form.File {
		all[name] += len(list)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		p, is := known[name]
		if !is {
			return domain.Refuse(domain.Invalid, name, "refused_part_name_parts", "List", words.ListOf(names))
		}
		if all[name] > 1 && !p.Many {
			return domain.Refuse(domain.Invalid, name, "refused_part_times_send", "Name", name, "N", all[name])
		}
	}
	return nil
}

// digestForm adds a form's parts to the digest of its request. The boundary between them is left out: clients choose it
// anew for each request, also when they repeat one.
func digestForm(sum io.Writer, form *multipart.Form) error {
	for _, name := range slices.Sorted(maps.Keys(form.Value)) {
		for _, v := range form.Value[name] {
			fmt.Fprintf(sum, "text %q %x\n", name, sha256.Sum256([]byte(v)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(form.File)) {
		for _, h := range form.File[name] {
			f, err := h.Open()
			if err != nil {
				return err
			}
			of := sha256.New()
			_, err = io.Copy(of, f)
			if err = errors.Join(err, f.Close()); err != nil {
				return err
			}
			fmt.Fprintf(sum, "file %q %q %x\n", name, h.Filename, of.Sum(nil))
		}
	}
	return nil
}
