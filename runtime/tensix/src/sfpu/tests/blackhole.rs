//! What Blackhole has and Wormhole has not.
