package notify

import (
	"crypto/subtle"
	"strconv"
	"strings"
	"time"
)

// OffKeptFor is how long the link in a mail that stops all mails works.
const OffKeptFor = 90 * 24 * time.Hour

// offContext is the use of the keyed hash in such a link.
const offContext = "mail-off"

// OffToken returns what a link to stop all mails to a person of a tenant carries. It proves by a keyed hash that we
// sent it, and allows nothing else. Ids have no dot.
func OffToken(mac func(context, text string) string, tenant, user string, now time.Time) string {
	claim := tenant + "." + user + "." + strconv.FormatInt(now.Add(OffKeptFor).Unix(), 36)
	return claim + "." + mac(offContext, claim)
}

// ReadOffToken returns whose mails a token stops; ok is false if this server did not make it, or if it is too old.
func ReadOffToken(mac func(context, text string) string, token string, now time.Time) (tenant, user string, ok bool) {
	parts := strings.Split(token, ".")
	if len(parts) != 4 || len(token) > 500 {
		return "", "", false
	}
	claim := strings.Join(parts[:3], ".")
	if subtle.ConstantTimeCompare([]byte(mac(offContext, claim)), []byte(parts[3])) != 1 {
		return "", "", false
	}
	until, err := strconv.ParseInt(parts[2], 36, 64)
	if err != nil || now.Unix() > until {
		return "", "", false
	}
	return parts[0], parts[1], true
}
