package accounts

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/handlers/web"
	"sanad/internal/keys"
	accountsviews "sanad/internal/views/accounts"
)

// keyPurposes lists what keys are for.
var keyPurposes = []string{"sign", "log"}

// listKeys shows the tenant's public keys.
func (s *server) listKeys(c echo.Context) error {
	found, err := s.Store.Keys(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	rows := make([]accountsviews.KeyRow, len(found))
	for i, k := range found {
		rows[i] = accountsviews.KeyRow{ID: k.ID, Purpose: k.Purpose, CreatedAt: k.CreatedAt, RetiredAt: k.RetiredAt}
	}
	return s.Render(c, http.StatusOK, accountsviews.Keys(accountsviews.NewKeysPage(s.Chrome(c), rows)))
}

// downloadKey sends a public key as PEM (SubjectPublicKeyInfo), the form that openssl and cosign read.
func (s *server) downloadKey(c echo.Context) error {
	found, err := s.Store.Keys(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(found, func(k db.Key) bool { return k.ID == c.QueryParam("id") })
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

// keyInUse returns the fingerprint of the key in use, "" if there is none yet.
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
