package auth

import (
	"encoding/base32"
	"net/url"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
)

// Parameters that every authenticator app supports (RFC 6238): SHA-1, six digits, a new code every 30 seconds.
const (
	totpPeriod = 30
	totpIssuer = "Sanad"
	minTOTP    = 16 // bytes; RFC 4226 requires 128 bits
)

// NewTOTP returns a new secret for an authenticator app, as raw bytes.
func NewTOTP() []byte { return random(20) }

// TOTPText formats a secret in groups of four, for typing it into an app that cannot scan the QR code.
func TOTPText(secret []byte) string {
	return strings.ReplaceAll(grouped(totpSecret(secret)), "-", " ")
}

// TOTPURI returns the otpauth:// URI of a secret, for a QR code.
func TOTPURI(secret []byte, account string) string {
	label := totpIssuer + ":" + strings.ReplaceAll(url.PathEscape(account), ":", "%3A")
	return "otpauth://totp/" + label + "?secret=" + totpSecret(secret) + "&issuer=" + totpIssuer +
		"&algorithm=SHA1&digits=6&period=30"
}

func totpSecret(secret []byte) string {
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(secret)
}

// CheckTOTP returns the time step that a code belongs to: the current, previous or next one; ok is false if none. The
// caller must refuse a step that is not after the last one used. A secret that is too short, or empty, has no codes.
func CheckTOTP(secret []byte, code string, now time.Time) (step int64, ok bool) {
	code = typedCode(code)
	if len(secret) < minTOTP || len(code) != 6 || now.Unix() < totpPeriod {
		return 0, false
	}
	current := now.Unix() / totpPeriod
	for _, step := range []int64{current, current - 1, current + 1} {
		right, err := hotp.ValidateCustom(code, uint64(step), totpSecret(secret),
			hotp.ValidateOpts{Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1})
		if err == nil && right {
			return step, true
		}
	}
	return 0, false
}
