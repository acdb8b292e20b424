// Go before 1.25 made key identifiers with SHA-1; the go line of go.mod would bring that back.
//go:debug x509sha256skid=1

package main

import (
	"bytes"
	"crypto"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"strings"
)

// checkCertificates reads PEM blocks as Go does and says, for each certificate, who it is, who has signed it and which
// of the private keys is its own.
func checkCertificates(text string) (string, error) {
	var certs []*x509.Certificate
	var keys []crypto.Signer
	for rest := []byte(text); ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		var err error
		if block.Type == "CERTIFICATE" {
			var cert *x509.Certificate
			cert, err = x509.ParseCertificate(block.Bytes)
			certs = append(certs, cert)
		} else {
			var key crypto.Signer
			key, err = parseKey(block)
			keys = append(keys, key)
		}
		if err != nil {
			return "", err
		}
	}
	lines := []string{}
	for _, cert := range certs {
		lines = append(lines, fmt.Sprintf("%q %v %v signed by %s, key %d", cert.Subject, cert.PublicKeyAlgorithm,
			cert.SignatureAlgorithm, signerOf(cert, certs), keyOf(cert, keys)))
	}
	return strings.Join(lines, "\n"), nil
}

func parseKey(block *pem.Block) (crypto.Signer, error) {
	switch block.Type {
	case "RSA PRIVATE KEY":
		return x509.ParsePKCS1PrivateKey(block.Bytes)
	case "EC PRIVATE KEY":
		return x509.ParseECPrivateKey(block.Bytes)
	case "PRIVATE KEY":
		key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
		if err != nil {
			return nil, err
		}
		return key.(crypto.Signer), nil
	}
	return nil, fmt.Errorf("unexpected %s", block.Type)
}

func signerOf(cert *x509.Certificate, certs []*x509.Certificate) string {
	for _, parent := range certs {
		isSigned := parent.CheckSignature(cert.SignatureAlgorithm, cert.RawTBSCertificate, cert.Signature) == nil
		if isSigned && bytes.Equal(cert.RawIssuer, parent.RawSubject) {
			return fmt.Sprintf("%q (authority: %v)", parent.Subject, parent.IsCA)
		}
	}
	return "nobody"
}

func keyOf(cert *x509.Certificate, keys []crypto.Signer) int {
	public, err := x509.MarshalPKIXPublicKey(cert.PublicKey)
	for index, key := range keys {
		if other, otherErr := x509.MarshalPKIXPublicKey(key.Public()); err == nil && otherErr == nil && bytes.Equal(public, other) {
			return index
		}
	}
	return -1
}
