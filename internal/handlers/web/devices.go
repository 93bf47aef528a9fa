package web

import (
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/web/limits"
)

// DeviceCookie names accounts that this browser has signed in to, sealed: what OWASP calls a device cookie. It is no
// login. It only keeps failures of strangers apart from those of this browser (rule SEC-3).
const DeviceCookie = "sanad-device"

const (
	deviceLife = 90 * 24 * time.Hour // after the last login
	maxDevices = 4                   // accounts of one browser, the last used first
)

// device is one account that a browser is known for. ID tells the browsers of an account apart; each login makes a new
// one, so that a copied cookie shares its failures with the owner until the owner's next login only. Password is a MAC
// of the stored password: a new one forgets all browsers.
type device struct{ UserID, ID, Password string }

// deviceOf returns the id under which this browser is known to an account, "" if it is not.
func (s *Server) deviceOf(c echo.Context, u *db.User) string {
	for _, d := range s.devices(c) {
		if d.UserID == u.ID && u.ID != "" && d.Password == s.passwordMark(u) {
			return d.ID
		}
	}
	return ""
}

func (s *Server) passwordMark(u *db.User) string { return s.Keys.MAC("device/password", u.Password) }

func (s *Server) devices(c echo.Context) []device {
	var all []device
	if !s.OpenCookie(c, DeviceCookie, &all) {
		return nil
	}
	return all
}

// KnowDevice remembers in the browser that it has signed in to an account.
func (s *Server) KnowDevice(c echo.Context, u *db.User) error {
	d := device{UserID: u.ID, ID: s.NewID(), Password: s.passwordMark(u)}
	others := slices.DeleteFunc(s.devices(c), func(x device) bool { return x.UserID == u.ID })
	all := append([]device{d}, others...)
	return s.SealCookie(c, DeviceCookie, all[:min(len(all), maxDevices)], deviceLife)
}

// LoginTry is the try of an account, or of nobody's name (the zero User), at the login page. nameKey is the key of the
// name, for browsers that are not known to the account.
func (s *Server) LoginTry(c echo.Context, u *db.User, nameKey string) limits.Try {
	if id := s.deviceOf(c, u); id != "" {
		return limits.Try{Key: s.Keys.MAC("device", u.ID+"/"+id), UserID: u.ID, Known: true, All: "device/" + u.ID, Else: nameKey}
	}
	return limits.Try{Key: nameKey, UserID: u.ID}
}

// ProofTry is the try of a person who is signed in or sends a token. Failures are counted for each login and token
// alone, so that whoever stole one delays its owner at no other.
func (s *Server) ProofTry(c echo.Context, userID string) limits.Try {
	by := "token/" + s.Who(c).Token
	if l := s.SignedIn(c); s.Who(c).Token == "" && l != nil {
		by = "login/" + l.ID
	}
	return limits.Try{Key: s.Keys.MAC("proof", userID+"/"+by), UserID: userID, Known: true, All: "proof/" + userID}
}

// Attempt runs check, a proof of identity that somebody gives, unless it must wait (rule SEC-3).
func (s *Server) Attempt(c echo.Context, try limits.Try, check func() (bool, error)) (bool, time.Duration, error) {
	from := access.Actor{} // of whoever signs in nobody is known
	if who := s.Who(c); who.ID == try.UserID {
		from = who
	}
	return s.attempts.Check(c.Request().Context(), s.From(c, from), try, check)
}
