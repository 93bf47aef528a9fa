package handlers

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/db"
	accountsviews "sanad/internal/views/accounts"
	"sanad/internal/views/ui"
)

// pendingFor is how long a person has to set up the authenticator app.
const pendingFor = 15 * time.Minute

// pendingTOTP is a secret that is not stored yet. It travels sealed in the form, bound to the person and to a time.
type pendingTOTP struct {
	Secret []byte
	Until  time.Time
}

// newTOTP makes the secret of an authenticator app and asks for a first code. Nothing is stored.
func (s *Server) newTOTP(c echo.Context) error {
	l := s.signedIn(c)
	if l == nil {
		return notFound()
	}
	if l.User.TOTP != nil {
		return seeOther(c, "/account")
	}
	return s.totpPage(c, http.StatusOK, l, pendingTOTP{auth.NewTOTP(), s.now().Add(pendingFor)}, nil)
}

func (s *Server) totpPage(c echo.Context, status int, l *db.SignedIn, p pendingTOTP, fault *ui.FormFault) error {
	sealed, err := s.sealPending(l.UserID, p)
	if err != nil {
		return err
	}
	d, side, err := auth.QRPath(auth.TOTPURI(p.Secret, l.User.Login))
	if err != nil {
		return err
	}
	in := accountsviews.TOTPInput{Secret: auth.TOTPText(p.Secret), QRPath: d, QRSide: side, Pending: sealed, Fault: fault}
	return s.render(c, status, accountsviews.TOTP(accountsviews.NewTOTPPage(s.chrome(c), in)))
}

func (s *Server) sealPending(userID string, p pendingTOTP) (string, error) {
	data, err := json.Marshal(p) //nolint:gosec // it is sealed before it leaves
	if err != nil {
		return "", err
	}
	sealed, err := s.keys.Seal("totp-pending/"+userID, data)
	return base64.RawURLEncoding.EncodeToString(sealed), err
}

// openPending reads what sealPending gave this person; false where it has ended, is another's or was changed.
func (s *Server) openPending(userID, sealed string) (p pendingTOTP, ok bool) {
	box, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil || len(box) == 0 {
		return p, false
	}
	data, err := s.keys.Open("totp-pending/"+userID, box)
	if err != nil {
		return p, false
	}
	return p, json.Unmarshal(data, &p) == nil && s.now().Before(p.Until)
}

// enableTOTP stores the secret once a code of it is right, and shows the recovery codes.
func (s *Server) enableTOTP(c echo.Context) error {
	if err := smallForm(c); err != nil {
		return err
	}
	l := s.signedIn(c)
	if l == nil {
		return notFound()
	}
	p, ok := s.openPending(l.UserID, c.FormValue("pending"))
	if !ok || l.User.TOTP != nil { // too late, or sent twice
		return seeOther(c, "/account")
	}
	step, ok := auth.CheckTOTP(p.Secret, c.FormValue("code"), s.now())
	if !ok {
		return s.totpPage(c, http.StatusUnprocessableEntity, l, p, fieldFault("code", "totp_wrong"))
	}
	first, err := s.store.UseTOTPStep(c.Request().Context(), l.UserID, step)
	if err != nil {
		return err
	}
	if !first {
		return s.totpPage(c, http.StatusUnprocessableEntity, l, p, fieldFault("code", "totp_used"))
	}
	codes, err := s.storeTOTP(c, l, p.Secret)
	if err != nil {
		return err
	}
	return s.render(c, http.StatusOK, accountsviews.Recovery(accountsviews.NewRecoveryPage(s.chrome(c), codes)))
}

// storeTOTP stores a secret and gives the recovery codes, of which only hashes are kept.
func (s *Server) storeTOTP(c echo.Context, l *db.SignedIn, secret []byte) ([]string, error) {
	sealed, err := s.keys.Seal(totpContext(l.UserID), secret)
	if err != nil {
		return nil, err
	}
	codes := auth.RecoveryCodes()
	hashes := make([]string, len(codes))
	for i, code := range codes {
		hashes[i] = auth.HashRecovery(code)
	}
	return codes, s.store.SetTOTP(c.Request().Context(), s.who(c), l.UserID, sealed, hashes)
}

// disableTOTP takes the second step away, with its recovery codes.
func (s *Server) disableTOTP(c echo.Context) error {
	who := s.who(c)
	if err := s.store.SetTOTP(c.Request().Context(), who, who.ID, nil, nil); err != nil {
		return err
	}
	return seeOther(c, "/account?done=totp_off")
}
