// SPDX-License-Identifier: Apache-2.0

// The same work with golang-jwt: parse, verify, decode the claims, judge issuer, audience and time.
// Reads what `token-bench prepare` wrote; prints {"RS256": microseconds, …}, medians over batches.
package main

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"sort"
	"time"

	"github.com/golang-jwt/jwt"
)

type entry struct {
	Algorithm string            `json:"algorithm"`
	Token     string            `json:"token"`
	JWK       map[string]string `json:"jwk"`
}

type input struct {
	Issuer   string  `json:"issuer"`
	Audience string  `json:"audience"`
	Tokens   []entry `json:"tokens"`
}

func number(text string) *big.Int { return new(big.Int).SetBytes(bytes(text)) }

func bytes(text string) []byte {
	value, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return value
}

func key(e entry) interface{} {
	switch e.Algorithm {
	case "RS256":
		return &rsa.PublicKey{N: number(e.JWK["n"]), E: int(number(e.JWK["e"]).Int64())}
	case "ES256":
		return &ecdsa.PublicKey{Curve: elliptic.P256(), X: number(e.JWK["x"]), Y: number(e.JWK["y"])}
	case "EdDSA":
		return ed25519.PublicKey(bytes(e.JWK["x"]))
	default:
		return bytes(e.JWK["k"])
	}
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var in input
	if err := json.Unmarshal(text, &in); err != nil {
		panic(err)
	}
	jwt.TimeFunc = func() time.Time { return time.Unix(1_800_000_000, 0) }
	result := map[string]float64{}
	for _, e := range in.Tokens {
		public := key(e)
		parser := &jwt.Parser{ValidMethods: []string{e.Algorithm}}
		times := []float64{}
		for batch := 0; batch < 40; batch++ {
			began := time.Now()
			for index := 0; index < 200; index++ {
				token, err := parser.Parse(e.Token, func(*jwt.Token) (interface{}, error) { return public, nil })
				if err != nil {
					panic(err)
				}
				claims := token.Claims.(jwt.MapClaims)
				if !claims.VerifyIssuer(in.Issuer, true) || !claims.VerifyAudience(in.Audience, true) ||
					!claims.VerifyExpiresAt(1_800_000_000, true) || !claims.VerifyIssuedAt(1_800_000_000, true) {
					panic("claims")
				}
			}
			times = append(times, float64(time.Since(began).Nanoseconds())/200_000)
		}
		sort.Float64s(times)
		result[e.Algorithm] = times[len(times)/2]
	}
	out, _ := json.Marshal(result)
	fmt.Println(string(out))
}
