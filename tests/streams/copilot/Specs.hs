{-# LANGUAGE RebindableSyntax #-}
-- The specifications of test_copilot.py in Copilot 3.13; each prints a table of its observers.
module Main where

import Copilot.Library.Clocks
import Copilot.Library.LTL (always, eventually, until)
import Copilot.Library.PTLTL
import Copilot.Library.Voting
import Language.Copilot hiding (always, eventually, until)
import qualified Prelude as P
import System.Environment (getArgs)

recursion :: Spec
recursion = do
  observer "fib" fib
  observer "evens" evens
  observer "odds" odds
  observer "b0" b0
  observer "b1" b1
  where
    fib, evens, odds :: Stream Word8
    fib = [1, 1] ++ (fib + drop 1 fib)
    evens = [0] ++ (1 + odds)
    odds = 1 + evens
    b0, b1 :: Stream Bool
    b0 = [False] ++ not b0
    b1 = [False] ++ (b0 /= b1)

arithmetic :: Spec
arithmetic = do
  observer "s" s
  observer "quotient" (s `div` 7)
  observer "remainder" (s `mod` 7)
  observer "size" (abs s)
  observer "bits" ((w .&. 60) .|. (w .^. 129))
  observer "left" (w .<<. (3 :: Stream Word8))
  observer "right" (s .>>. (2 :: Stream Word8))
  observer "wide" (wide * 1000 - 1)
  observer "d" d
  observer "root" (sqrt (d * d + 2))
  where
    s :: Stream Int8
    s = [100] ++ (s * 3 - 7)
    w :: Stream Word8
    w = [7] ++ (w * 5 + 3)
    wide :: Stream Int32
    wide = cast s
    d :: Stream Double
    d = [0.5] ++ (d * 1.5 - 0.375)

voting :: Spec
voting = do
  observer "winner" winner
  observer "clear" (aMajority votes winner)
  where
    votes :: [Stream Word8]
    votes = [ cycle5, [3, 3, 4, 1, 1] ++ (votes P.!! 1), [3, 1, 4] ++ (votes P.!! 2), constant 1, cycle5 ]
    cycle5 :: Stream Word8
    cycle5 = [3, 1, 4, 1, 5, 9, 2, 6] ++ cycle5
    winner = majority votes

temporal :: Spec
temporal = do
  observer "previous" (previous p)
  observer "been" (alwaysBeen q)
  observer "ever" (eventuallyPrev (a == 9))
  observer "since" (p `since` q)
  observer "next2" (eventually (2 :: Int) p)
  observer "all2" (always (2 :: Int) q)
  observer "until3" (until (3 :: Int) p q)
  where
    a :: Stream Word8
    a = [3, 1, 4, 1, 5, 9, 2, 6] ++ a
    p, q :: Stream Bool
    p = [True, True, False, True, True, True, False] ++ p
    q = [True, False, True, True, False] ++ q

monitor :: Spec
monitor = do
  observer "hot" hot
  observer "shutoff" (hot >= 2 && not cooler)
  observer "tick" (clk (period (3 :: Word8)) (phase (1 :: Word8)))
  observer "tick1" (clk1 (period (4 :: Word8)) (phase (2 :: Word8)))
  where
    temperature :: Stream Word8
    temperature = extern "temperature" (Just [240, 251, 253, 252, 249, 255, 254, 253, 252, 251, 100, 251])
    cooler :: Stream Bool
    cooler = extern "cooler" (Just (P.cycle [False, False, False, True, True]))
    hot :: Stream Word8
    hot = mux (temperature > 250) (mux (([0] ++ hot) < 3) (([0] ++ hot) + 1) 3) 0

main :: IO ()
main = do
  [name] <- getArgs
  case P.lookup name specs of
    Just spec -> interpret 12 spec
    Nothing -> P.error name
  where
    specs = [ ("recursion", recursion), ("arithmetic", arithmetic), ("voting", voting)
            , ("temporal", temporal), ("monitor", monitor) ]
