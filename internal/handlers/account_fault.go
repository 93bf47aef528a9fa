package handlers

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/domain"
	"sanad/internal/views/ui"
)

// maxSmallForm bounds a form of a few fields, in bytes.
const maxSmallForm = 16 << 10

// passwordWords names the words for why a password may not be used.
var passwordWords = map[error]string{
	auth.ErrPasswordShort: "password_short", auth.ErrPasswordLong: "password_long", auth.ErrPasswordSigns: "password_signs",
	auth.ErrPasswordRepeated: "password_repeated", auth.ErrPasswordLogin: "password_login", auth.ErrPasswordCommon: "password_common",
}

// pathWords names the words for what is wrong with a field.
var pathWords = map[string]string{"login": "login_form", "email": "email_form", "name": "name_form", "role": "role_unknown"}

// formFault is what stands beside a field for a refusal of the form; nil for any other error, which is not the form's.
// A refusal that names no field is about field; words names it by kind where the caller knows what it means.
func formFault(err error, field string, words map[domain.Kind]string) *ui.FormFault {
	var e *domain.Error
	if !errors.As(err, &e) {
		return nil
	}
	switch e.Kind {
	case domain.Invalid, domain.Conflict, domain.Denied, domain.TooLarge:
	default:
		return nil
	}
	f := &ui.FormFault{Field: e.Path, Text: e.Msg, Word: words[e.Kind]}
	if e.Path == "" {
		f.Field = field
	}
	if f.Word == "" && e.Kind == domain.Invalid {
		f.Word = pathWords[e.Path]
	}
	for cause, word := range passwordWords {
		if errors.Is(err, cause) {
			f.Word = word
		}
	}
	return f
}

// fieldFault refuses one field with words of our own.
func fieldFault(field, word string) *ui.FormFault {
	return &ui.FormFault{Field: field, Word: word}
}

// smallForm reads a form of a few fields; it answers for what is larger or broken.
func smallForm(c echo.Context) error {
	r := c.Request()
	r.Body = http.MaxBytesReader(c.Response(), r.Body, maxSmallForm)
	if err := r.ParseForm(); err != nil {
		return unreadableForm(err, maxSmallForm)
	}
	return nil
}
