package accounts

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/handlers/web"
	"sanad/internal/keys"
	accountsviews "sanad/internal/views/accounts"
)

// trust adds the key of another store, given as PEM, to those that the tenant trusts.
func (s *server) trust(c echo.Context, name, text string) (db.TrustedKey, error) {
	public, err := keys.ParsePEM(text)
	if err != nil {
		return db.TrustedKey{}, domain.Refuse(domain.Invalid, "public_key", "refused_ed25519_public_key")
	}
	return s.Store.TrustKey(c.Request().Context(), s.Who(c), strings.TrimSpace(name), public)
}

// trustKey takes the form of another store's key.
func (s *server) trustKey(c echo.Context) error {
	form := accountsviews.TrustForm{Name: c.FormValue("name"), Key: c.FormValue("public_key")}
	_, err := s.trust(c, form.Name, form.Key)
	if form.Fault = web.FormFault(err, "public_key", nil); form.Fault != nil {
		return s.keysPage(c, web.FaultOf(err).Status, form)
	}
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/admin/keys?done=trusted#trusted")
}

// distrustKey removes another store's key.
func (s *server) distrustKey(c echo.Context) error {
	if err := s.Store.DistrustKey(c.Request().Context(), s.Who(c), c.FormValue("id")); err != nil {
		return err
	}
	return web.SeeOther(c, "/admin/keys?done=distrusted#trusted")
}

// apiTrustedKey is the key of another store that the tenant trusts.
type apiTrustedKey struct {
	ID        string `json:"id"`   // OpenSSH fingerprint
	Name      string `json:"name"` // of the store, as the tenant calls it
	PublicKey string `json:"public_key"`
	AddedBy   string `json:"added_by"`
	AddedAt   string `json:"added_at"`
}

func newAPITrustedKey(k *db.TrustedKey) (apiTrustedKey, error) {
	text, err := keys.PEM(k.Public)
	return apiTrustedKey{ID: k.ID, Name: k.Name, PublicKey: text, AddedBy: k.AddedBy, AddedAt: web.FormatTime(k.AddedAt)}, err
}

// trustedKeyExample is a key whose private half nobody keeps.
const trustedKeyExample = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n"

// trustedKeyInput is a key to be trusted.
type trustedKeyInput struct {
	Name      string `json:"name"`
	PublicKey string `json:"public_key"` // PEM
}

func (s *server) apiTrustedKeys(c echo.Context) error {
	found, err := s.Store.TrustedKeys(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	out := make([]apiTrustedKey, len(found))
	for i := range found {
		if out[i], err = newAPITrustedKey(&found[i]); err != nil {
			return err
		}
	}
	return web.SendJSON(c, http.StatusOK, map[string]any{"trusted_keys": out})
}

func (s *server) apiTrustKey(c echo.Context, in trustedKeyInput) (web.Reply, error) {
	k, err := s.trust(c, in.Name, in.PublicKey)
	if err != nil {
		return web.Reply{}, err
	}
	out, err := newAPITrustedKey(&k)
	return web.Reply{Status: http.StatusCreated, Body: out}, err
}

func (s *server) apiDistrustKey(c echo.Context) (web.Reply, error) {
	err := s.Store.DistrustKey(c.Request().Context(), s.Who(c), c.QueryParam("id"))
	return web.Reply{Status: http.StatusNoContent}, err
}
