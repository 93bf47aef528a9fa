package web

import (
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
)

// contactsFor is how long a copy of security.txt may be believed. RFC 9116 asks for less than a year.
const contactsFor = 180 * 24 * time.Hour

// showSecurityContacts says whom to tell of a vulnerability (RFC 9116, rule SEC-20). Without a configured contact it
// answers 404.
func (s *Server) showSecurityContacts(c echo.Context) error {
	if len(s.contacts) == 0 {
		return echo.ErrNotFound
	}
	return c.String(http.StatusOK, securityText(s.contacts, s.Now()))
}

// securityText returns the file as of a day: it is the same all day.
func securityText(contacts []string, now time.Time) string {
	var b strings.Builder
	for _, contact := range contacts { // in order of preference
		b.WriteString("Contact: " + contact + "\n")
	}
	expires := now.UTC().Truncate(24 * time.Hour).Add(contactsFor)
	b.WriteString("Expires: " + expires.Format(time.RFC3339) + "\n")
	b.WriteString("Preferred-Languages: en, ar\n")
	return b.String()
}
