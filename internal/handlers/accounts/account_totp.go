package accounts

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/handlers/web"
	accountsviews "sanad/internal/views/accounts"
	"sanad/internal/views/ui"
)

// pendingFor is how long a person has to set up the authenticator app.
const pendingFor = 15 * time.Minute

// pendingTOTP is a secret that is not stored yet. It is sealed in the form, bound to the user and to an expiry.
type pendingTOTP struct {
	Secret []byte
	Until  time.Time
}

// newTOTP generates the secret of an authenticator app and asks for a first code. Nothing is stored yet.
func (s *server) newTOTP(c echo.Context) error {
	l := s.SignedIn(c)
	if l == nil {
		return web.NotFound()
	}
	if l.User.TOTP != nil {
		return web.SeeOther(c, "/account")
	}
	return s.totpPage(c, http.StatusOK, l, pendingTOTP{auth.NewTOTP(), s.Now().Add(pendingFor)}, nil)
}

func (s *server) totpPage(c echo.Context, status int, l *db.SignedIn, p pendingTOTP, fault *ui.FormFault) error {
	sealed, err := s.sealPending(l.UserID, p)
	if err != nil {
		return err
	}
	d, side, err := auth.QRPath(auth.TOTPURI(p.Secret, l.User.Login))
	if err != nil {
		return err
	}
	in := accountsviews.TOTPInput{Secret: auth.TOTPText(p.Secret), QRPath: d, QRSide: side, Pending: sealed,
		Fault: fault}
	return s.Render(c, status, accountsviews.TOTP(accountsviews.NewTOTPPage(s.Chrome(c), in)))
}

func (s *server) sealPending(userID string, p pendingTOTP) (string, error) {
	data, err := json.Marshal(p) //nolint:gosec // it is sealed before it leaves
	if err != nil {
		return "", err
	}
	sealed, err := s.Keys.Seal("totp-pending/"+userID, data)
	return base64.RawURLEncoding.EncodeToString(sealed), err
}

// openPending opens what sealPending made for this user. It returns false if the secret has expired, belongs to another
// user or was changed.
func (s *server) openPending(userID, sealed string) (p pendingTOTP, ok bool) {
	box, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil || len(box) == 0 {
		return p, false
	}
	data, err := s.Keys.Open("totp-pending/"+userID, box)
	if err != nil {
		return p, false
	}
	return p, json.Unmarshal(data, &p) == nil && s.Now().Before(p.Until)
}

// enableTOTP stores the secret if a code of it is right, and shows the recovery codes.
func (s *server) enableTOTP(c echo.Context) error {
	l := s.SignedIn(c)
	if l == nil {
		return web.NotFound()
	}
	p, ok := s.openPending(l.UserID, c.FormValue("pending"))
	if !ok || l.User.TOTP != nil { // too late, or sent twice
		return web.SeeOther(c, "/account")
	}
	step, ok := auth.CheckTOTP(p.Secret, c.FormValue("code"), s.Now())
	if !ok {
		return s.totpPage(c, http.StatusUnprocessableEntity, l, p, web.FieldFault("code", "totp_wrong"))
	}
	first, err := s.Store.UseTOTPStep(c.Request().Context(), l.UserID, step)
	if err != nil {
		return err
	}
	if !first {
		return s.totpPage(c, http.StatusUnprocessableEntity, l, p, web.FieldFault("code", "totp_used"))
	}
	codes, err := s.storeTOTP(c, l, p.Secret)
	if err != nil {
		return err
	}
	return s.Render(c, http.StatusOK, accountsviews.Recovery(accountsviews.NewRecoveryPage(s.Chrome(c), codes)))
}

// storeTOTP stores a secret and returns the recovery codes, of which only hashes are stored.
func (s *server) storeTOTP(c echo.Context, l *db.SignedIn, secret []byte) ([]string, error) {
	sealed, err := s.Keys.Seal(db.TOTPContext(l.UserID), secret)
	if err != nil {
		return nil, err
	}
	codes := auth.RecoveryCodes()
	hashes := make([]string, len(codes))
	for i, code := range codes {
		hashes[i] = auth.HashRecovery(code)
	}
	return codes, s.Store.SetTOTP(c.Request().Context(), s.Who(c), l.UserID, sealed, hashes)
}

// disableTOTP removes the second step and its recovery codes. It takes the password once more: one that may be short
// only beside a code must be changed first, and its length is known from nothing that is stored (rule SEC-2).
func (s *server) disableTOTP(c echo.Context) error {
	l := s.SignedIn(c)
	if l == nil {
		return web.NotFound()
	}
	if l.User.TOTP == nil { // sent twice
		return web.SeeOther(c, "/account")
	}
	fault, err := s.checkDisable(c, l)
	if err != nil {
		return err
	}
	if fault != nil {
		return s.accountPage(c, http.StatusUnprocessableEntity, fault)
	}
	err = s.Store.SetTOTP(c.Request().Context(), s.Who(c), l.UserID, nil, nil)
	if domain.KindOf(err) == domain.Conflict {
		return s.accountPage(c, http.StatusConflict, web.FieldFault("password", "factor_last"))
	}
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/account?done=totp_off")
}

// checkDisable returns what is wrong with a request to remove the second step.
func (s *server) checkDisable(c echo.Context, l *db.SignedIn) (*ui.FormFault, error) {
	if l.User.Password == "" { // signs in at the organisation's provider
		return nil, nil
	}
	fault, err := s.checkOwn(c, l, "password")
	if fault == nil && err == nil && auth.NeedsCode(c.FormValue("password")) {
		fault = web.FieldFault("password", "password_needs_code")
	}
	return fault, err
}
