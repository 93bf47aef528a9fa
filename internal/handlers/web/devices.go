package web

import (
	"slices"
	"time"

	"github.com/labstack/echo/v4"
)

// DeviceCookie names accounts that this browser has signed in to, sealed: what OWASP calls a device cookie. It is no
// login. It only keeps failures of strangers apart from those of this browser (rule SEC-3).
const DeviceCookie = "sanad-device"

const (
	deviceLife = 90 * 24 * time.Hour // after the last login
	maxDevices = 4                   // accounts of one browser, the last used first
)

// device is one account that a browser is known for. ID tells the browsers of an account apart.
type device struct{ UserID, ID string }

// deviceOf returns the id under which this browser is known to an account, "" if it is not.
func (s *Server) deviceOf(c echo.Context, userID string) string {
	for _, d := range s.devices(c) {
		if d.UserID == userID && userID != "" {
			return d.ID
		}
	}
	return ""
}

func (s *Server) devices(c echo.Context) []device {
	var all []device
	if !s.OpenCookie(c, DeviceCookie, &all) {
		return nil
	}
	return all
}

// KnowDevice remembers in the browser that it has signed in to an account.
func (s *Server) KnowDevice(c echo.Context, userID string) error {
	d := device{userID, s.deviceOf(c, userID)}
	if d.ID == "" {
		d.ID = s.NewID()
	}
	others := slices.DeleteFunc(s.devices(c), func(x device) bool { return x.UserID == userID })
	all := append([]device{d}, others...)
	return s.SealCookie(c, DeviceCookie, all[:min(len(all), maxDevices)], deviceLife)
}

// LoginTry is the try of an account, or of nobody's name ("" as userID), at the login page. nameKey is the key of the
// name, for browsers that are not known to the account.
func (s *Server) LoginTry(c echo.Context, userID, nameKey string) Try {
	if id := s.deviceOf(c, userID); id != "" {
		return Try{Key: s.Keys.MAC("device", userID+"/"+id), UserID: userID, Known: true}
	}
	return Try{Key: nameKey, UserID: userID}
}

// ProofTry is the try of a person who is signed in or sends a token.
func (s *Server) ProofTry(userID string) Try {
	return Try{Key: s.ProofKey(userID), UserID: userID, Known: true}
}
