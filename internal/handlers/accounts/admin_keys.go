package accounts

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/audit"
	"sanad/internal/handlers/web"
	"sanad/internal/keys"
	accountsviews "sanad/internal/views/accounts"
)

// keyPurposes lists what keys are for.
var keyPurposes = []string{"sign", "log"}

// listKeys shows the tenant's public keys.
func (s *server) listKeys(c echo.Context) error {
	return s.keysPage(c, http.StatusOK, accountsviews.TrustForm{})
}

// keysPage shows the tenant's keys and those of other stores that it trusts, with the form for another one.
func (s *server) keysPage(c echo.Context, status int, form accountsviews.TrustForm) error {
	ctx, tenant := c.Request().Context(), s.Who(c).Tenant
	found, err := s.Store.Keys(ctx, tenant)
	if err != nil {
		return err
	}
	trusted, err := s.Store.TrustedKeys(ctx, tenant)
	if err != nil {
		return err
	}
	for _, k := range trusted {
		form.Trusted = append(form.Trusted, accountsviews.TrustedLine{ID: k.ID, Name: k.Name, AddedAt: k.AddedAt})
	}
	return s.Render(c, status, accountsviews.Keys(accountsviews.NewKeysPage(s.ChromeAt(c, "/admin/keys"), found, form)))
}

// downloadKey sends a public key as PEM (SubjectPublicKeyInfo), the form that openssl and cosign read.
func (s *server) downloadKey(c echo.Context) error {
	found, err := s.Store.Keys(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(found, func(k audit.PublicKey) bool { return k.ID == c.QueryParam("id") })
	if i < 0 {
		return web.NotFound()
	}
	text, err := keys.PEM(found[i].Public)
	if err != nil {
		return err
	}
	c.Response().Header().Set("Content-Disposition", web.Attachment("sanad-"+found[i].Purpose+".pub"))
	return c.Blob(http.StatusOK, "application/x-pem-file", []byte(text))
}

// askRotate explains what a new key means, and asks.
func (s *server) askRotate(c echo.Context) error {
	purpose := c.Param("purpose")
	if !slices.Contains(keyPurposes, purpose) {
		return web.NotFound()
	}
	current, err := s.keyInUse(c, purpose)
	if err != nil {
		return err
	}
	return s.Render(c, http.StatusOK, accountsviews.Rotate(accountsviews.NewRotatePage(s.Chrome(c), purpose, current)))
}

// keyInUse returns the fingerprint of the key in use, or "" before the first one is made.
func (s *server) keyInUse(c echo.Context, purpose string) (string, error) {
	found, err := s.Store.Keys(c.Request().Context(), s.Who(c).Tenant)
	for _, k := range found {
		if k.Purpose == purpose && k.RetiredAt.IsZero() {
			return k.ID, err
		}
	}
	return "", err
}

// rotateKey takes a new key into use.
func (s *server) rotateKey(c echo.Context) error {
	purpose := c.Param("purpose")
	if !slices.Contains(keyPurposes, purpose) {
		return web.NotFound()
	}
	if _, err := s.Store.RotateKey(c.Request().Context(), s.Who(c), purpose); err != nil {
		return err
	}
	return web.SeeOther(c, "/admin/keys?done="+purpose)
}
