package handlers

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/keys"
	accountsviews "sanad/internal/views/accounts"
)

// keyPurposes lists what keys are for.
var keyPurposes = []string{"sign", "log"}

// listKeys shows the tenant's public keys.
func (s *Server) listKeys(c echo.Context) error {
	found, err := s.store.Keys(c.Request().Context(), s.who(c).Tenant)
	if err != nil {
		return err
	}
	rows := make([]accountsviews.KeyRow, len(found))
	for i, k := range found {
		rows[i] = accountsviews.KeyRow{ID: k.ID, Purpose: k.Purpose, CreatedAt: k.CreatedAt, RetiredAt: k.RetiredAt}
	}
	return s.render(c, http.StatusOK, accountsviews.Keys(accountsviews.NewKeysPage(s.chrome(c), rows)))
}

// downloadKey sends a public key as PEM (SubjectPublicKeyInfo), the form that openssl and cosign read.
func (s *Server) downloadKey(c echo.Context) error {
	found, err := s.store.Keys(c.Request().Context(), s.who(c).Tenant)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(found, func(k db.Key) bool { return k.ID == c.QueryParam("id") })
	if i < 0 {
		return notFound()
	}
	text, err := keys.PEM(found[i].Public)
	if err != nil {
		return err
	}
	c.Response().Header().Set("Content-Disposition", attachment("sanad-"+found[i].Purpose+".pub"))
	return c.Blob(http.StatusOK, "application/x-pem-file", []byte(text))
}

// askRotate explains what a new key means, and asks.
func (s *Server) askRotate(c echo.Context) error {
	purpose := c.Param("purpose")
	if !slices.Contains(keyPurposes, purpose) {
		return notFound()
	}
	current, err := s.keyInUse(c, purpose)
	if err != nil {
		return err
	}
	return s.render(c, http.StatusOK, accountsviews.Rotate(accountsviews.NewRotatePage(s.chrome(c), purpose, current)))
}

// keyInUse gives the fingerprint of the key in use, "" while there is none.
func (s *Server) keyInUse(c echo.Context, purpose string) (string, error) {
	found, err := s.store.Keys(c.Request().Context(), s.who(c).Tenant)
	for _, k := range found {
		if k.Purpose == purpose && k.RetiredAt.IsZero() {
			return k.ID, err
		}
	}
	return "", err
}

// rotateKey takes a new key into use.
func (s *Server) rotateKey(c echo.Context) error {
	purpose := c.Param("purpose")
	if !slices.Contains(keyPurposes, purpose) {
		return notFound()
	}
	if _, err := s.store.RotateKey(c.Request().Context(), s.who(c), purpose); err != nil {
		return err
	}
	return seeOther(c, "/admin/keys?done="+purpose)
}
